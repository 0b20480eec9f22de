import { basename } from 'node:path';
import { isFault } from '@fleet/contracts/faults';
import type { Guidance } from '@fleet/contracts/guidance';
import { guidanceOf, isEnded, type Session } from '@fleet/contracts/sessions';
import { anyone } from '@fleet/access';
import { MakeBatch } from '@fleet/batches';
import {
  CancelSession,
  ChangeAdvice,
  ChangeSessionPriority,
  ForkSession,
  RemoveLastCycles,
  ResumeSession,
  sessionIdOfKey,
  startSubmission,
  SubmitSession,
} from '@fleet/sessions';
import { MortalProcess } from '@fleet/testing';
import { aModel, someReflections } from '../api/some-files';
import { Fleet } from './fleet';
import type { Act } from './play';
import type { World } from './world';

/** More turns than any path needs. */
const mostTurns = 500;
/** After so many looks that found nothing there is nothing: what failed once is found by the next one. */
const quietLooks = 2;

/** The fleet works until nothing is left to do, or until then. */
export const work =
  (isEnough = (world: World) => world.isAtRest()): Act =>
  async (fleet) => {
    let quiet = 0;
    for (let turn = 0; turn < mostTurns; turn += 1) {
      if (quiet === quietLooks || (await isEnough(fleet.world))) return;
      quiet = (await isBusy(fleet)) ? 0 : quiet + 1;
    }
    throw new Error('the fleet never comes to rest');
  };

const isBusy = async (fleet: Fleet): Promise<boolean> => {
  try {
    return await doSomething(fleet);
  } catch (error) {
    // As a worker or a sweeper, which continues.
    if (!isFault(error) || error.kind !== 'transient') throw error;
    return true;
  }
};

/** What is due first; time passes only where nothing is. Returns whether there was anything. */
const doSomething = async (fleet: Fleet): Promise<boolean> => {
  const { world, life, batchWorker, follower } = fleet;
  if ((await fleet.workOnce()) || world.queues.takeBack()) return true;
  if (world.hasBatches && (await batchWorker.look())) return true;
  if (await sweep(fleet, 1_000)) return true;
  const hasEnded = await world.endProgram();
  await life.settled();
  return hasEnded || (await sweep(fleet, 31_000)) || follower.look();
};

/** Returns whether the sweeper found something after that time. */
const sweep = async ({ world, sweeper }: Fleet, afterMs: number): Promise<boolean> => {
  world.clock.forward(afterMs);
  const { resent, rewoken, postponed } = await sweeper.sweep();
  return resent + rewoken + postponed > 0;
};

const first = 'one dataset';
const second = 'its fork, or another one';
const firstId = sessionIdOfKey(first, '');
export const secondId = sessionIdOfKey(second, '');

const filesOf = (world: World): readonly string[] => [
  world.file('data.sca', someReflections),
  world.file('model.pdb', aModel),
];

/** One dataset, for two cycles unless more is said, under a key. */
export const submit =
  (more: object = {}, key = first): Act =>
  async ({ world, sessions }) => {
    const files = filesOf(world);
    const submission = { title: 'a dataset', proposal: 'mx1', files, settings: { max_cycles: 2 }, ...more };
    await startSubmission(await new SubmitSession(sessions).ready(submission, key, anyone));
  };

export const submitAnother: Act = submit({ title: 'another one', settings: { max_cycles: 1 } }, second);

/** The session as whoever uses the service reads it, from any gateway. */
const read = async ({ store: { records } }: World): Promise<Session> => {
  const session = await records.load(firstId);
  if (session === undefined) throw new Error('there is no session');
  return session;
};

/** Asks for it, unless it can be seen that it is done: the answer may have been lost. */
const unless =
  (isDone: (session: Session) => boolean, ask: (fleet: Fleet, session: Session) => Promise<unknown>): Act =>
  async (fleet) => {
    const session = await read(fleet.world);
    if (!isDone(session)) await ask(fleet, session);
  };

const body = (advice: string): object => ({ advice });

export const advise = (advice: string): Act =>
  unless(
    (session) => guidanceOf(session).sources.some(({ text }) => text === advice),
    ({ sessions }, session) => {
      const { revision } = guidanceOf(session);
      const isSeen = (guidance: Guidance): boolean => guidance.revision === revision;
      return new ChangeAdvice(sessions).run(session.id, body(advice), { isSeen, principal: anyone });
    },
  );

/** Safe to repeat. */
export const cancel: Act = async ({ sessions }) => {
  await new CancelSession(sessions).run(firstId);
};

export const resume = unless(
  ({ request: { settings } }) => settings.max_cycles === 2,
  ({ sessions }, session) =>
    new ResumeSession(sessions).run(session.id, {
      body: { settings: { max_cycles: 2 } },
      isSeen: ({ version }) => version === session.version,
      principal: anyone,
    }),
);

export const removeLastCycle = unless(
  ({ stop }) => stop?.reason === 'cycles_removed',
  ({ sessions }, session) =>
    new RemoveLastCycles(sessions).run(session.id, { count: 1 }, ({ version }) => version === session.version),
);

export const prioritise: Act = async ({ sessions }) => {
  await new ChangeSessionPriority(sessions).run(firstId, { body: { priority: 'backfill' }, principal: anyone });
};

/** Safe to repeat, because it has a key. */
export const fork: Act = async ({ sessions }) => {
  await new ForkSession(sessions).run(firstId, {
    body: { cycle: 1, settings: { max_cycles: 2 } },
    key: second,
    principal: anyone,
  });
};

/** Two rows that are valid, one of them as another row is, and one that is not. */
export const submitBatch: Act = async ({ world, batches }) => {
  world.hasBatches = true;
  const files = filesOf(world).map((path) => basename(path));
  const settings = { max_cycles: 1 };
  const rows = [
    { title: 'one', files, settings },
    { title: 'two', files, settings },
    { title: 'no files', files: ['missing.sca'] },
  ];
  const body = { base: world.data, title: 'a batch', proposal: 'mx1', rows };
  await new MakeBatch(batches).run(body, 'a batch', anyone);
};

/** Safe to repeat. */
export const cancelBatch: Act = async ({ world, batches }) => {
  const [found] = (await world.store.batches.list({}, 1)).batches;
  if (found === undefined) throw new Error('there is no batch');
  await batches.batches.setStatus(found.batch.id, 'cancelled');
};

/** Somebody else does this in the middle of the next such step. */
export const meanwhile =
  (job: 'decide' | 'analyse', act: Act): Act =>
  ({ world }) => {
    world.inTheMiddleOf(job, () => act(new Fleet(world, new MortalProcess())));
    return Promise.resolve();
  };

export const inWorld =
  (change: (world: World) => void): Act =>
  ({ world }) => {
    change(world);
    return Promise.resolve();
  };

/** Until a session has come so far. */
export const until =
  (is: (session: Session) => boolean, id = firstId) =>
  async ({ store: { records } }: World): Promise<boolean> => {
    const session = await records.load(id);
    return session !== undefined && is(session);
  };

export const isRunning = ({ stage, cycle, attempt, cycles }: Session): boolean =>
  stage === 'executing' &&
  cycles.some((one) => one.cycle === cycle && one.attempts.some((run) => run.attempt === attempt));
export const isDeciding = ({ stage }: Session): boolean => stage === 'deciding';
export const isAnalysing = ({ stage }: Session): boolean => stage === 'analysing';
export const hasEnded = ({ status }: Session): boolean => isEnded(status);
export const allRun = async (world: World): Promise<boolean> => (await world.sessions()).every(isRunning);
export const isWaiting = ({ cycles }: Session): boolean => cycles.at(-1)?.waiting !== undefined;

/** Until a batch has so many sessions, and none of its rows waits. */
export const hasMade =
  (sessions: number) =>
  async ({ store }: World): Promise<boolean> => {
    const [found] = (await store.batches.list({}, 1)).batches;
    return found?.states.accepted === sessions && found.states.waiting === 0;
  };
