import type { Session } from '@fleet/contracts/sessions';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadImages } from '../cluster-e2e/cluster-ground';
import { shapeOf } from '../e2e/outcome';
import { ClientLoad, type ClientRequest } from '../rolling-upgrade/client-load';
import { FollowedSession } from '../rolling-upgrade/followed-session';
import { InstalledRelease } from '../rolling-upgrade/installed-release';
import { sayingOf, sayings, WorkerWords, type Saying } from '../rolling-upgrade/worker-words';
import { testData } from '../e2e/standalone';
import { deliver, figure } from './figures';

// @needs cluster-parts @needs cluster-tools @needs buildah: it loads images. Its data is PHENIX_FLEET_TEST_DATA's.

const nextVersion = 'next';
/** Programs at once, and seconds between two submissions. */
const PROGRAMS = 1;
const SUBMIT_SECONDS = 30;
const CLIENTS = 4;
const EVERY_MS = 250;
const deadlineMs = 900_000;
const directives = { stop_conditions: { after_cycle: 3 } };

/** What was disturbed while all services were replaced once. */
interface Disturbed {
  readonly seconds: number;
  readonly replaced: number;
  readonly asked: ClientRequest;
  readonly streamsCut: number;
  readonly said: Readonly<Record<Saying, number>>;
  /** Programs at work at its begin, and those of them whose pod was the same, and never restarted, at its end. */
  readonly programs: { readonly atWork: number; readonly wentOn: number };
  readonly sessions: number;
}

/** `helm upgrade` to another version of the services and `helm rollback`, while sessions run, are submitted, asked for and followed. */
describe('a rolling upgrade under load', () => {
  const fleet = new InstalledRelease(PROGRAMS);
  const sessions: FollowedSession[] = [];
  let load: ClientLoad;
  let words: WorkerWords;
  let files: readonly string[];
  let failedSubmissions = 0;

  beforeAll(async () => {
    await loadImages(['service', 'postgres', 'redis', 'open-phenix']);
    await loadImages(['service'], nextVersion);
    files = ['5e5z.mtz', '5e5z.pdb'].map((name) => fleet.add(testData('tiny_5e5z', name)));
    await fleet.install();
    words = new WorkerWords(fleet);
  }, deadlineMs);
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.leave()));
    await words.stop();
    await fleet.end();
  }, 300_000);

  const call = async <T>(path: string, headers: Readonly<Record<string, string>> = {}, body?: string): Promise<T> => {
    const more = { authorization: `Bearer ${fleet.key}`, 'content-type': 'application/json', ...headers };
    const sent = body === undefined ? {} : { method: 'POST', body };
    const answer = await fetch(`${fleet.url}${path}`, { ...sent, headers: more });
    if (!answer.ok) throw new Error(`${path}: ${String(answer.status)} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const submission = (): string => JSON.stringify({ files, title: 'under way', proposal: 'mx1', directives });
  const recordOf = (id: string): Promise<Session> => call(`/v1/sessions/${id}`);

  /** Submits one, as a client that repeats the request with the same key until it is answered. Gives how many tries failed. */
  const submit = async (): Promise<number> => {
    const headers = { 'idempotency-key': randomUUID() };
    for (let failed = 0; ; failed += 1) {
      try {
        const { id } = await call<Session>('/v1/sessions', headers, submission());
        sessions.push(new FollowedSession(fleet, id));
        return failed;
      } catch (error) {
        if (failed === 20) throw error;
        await sleep(500);
      }
    }
  };

  const until = async (what: string, done: () => Promise<boolean>): Promise<void> => {
    const end = Date.now() + deadlineMs;
    while (!(await done())) {
      if (Date.now() > end) throw new Error(`never seen: ${what}`);
      await sleep(1_000);
    }
  };

  /** Pods of programs that are at work, by uid; with those that were at work and have ended well. */
  const programs = async (phases: readonly string[]): Promise<ReadonlySet<string>> => {
    const { pods } = await fleet.programsSeen();
    const those = pods.filter(({ status }) => phases.includes(status?.phase ?? ''));
    const once = those.filter(
      ({ status }) => status?.containerStatuses?.every((one) => one.restartCount === 0) ?? true,
    );
    return new Set(once.map(({ metadata }) => metadata?.uid ?? ''));
  };

  /** Does it, under sessions that come all the while, and tells what that disturbed. */
  const disturbedBy = async (change: () => Promise<void>): Promise<Disturbed> => {
    let atWork: ReadonlySet<string> = new Set();
    await until('a program at work', async () => (atWork = await programs(['Running'])).size > 0);
    const before = new Set((await fleet.services()).map(({ metadata }) => metadata?.name ?? ''));
    const cutsBefore = sessions.map(({ cuts }) => cuts);
    const known = sessions.length;
    load.take();
    words.take();
    const begun = performance.now();
    const over = new AbortController();
    const arriving = (async (): Promise<void> => {
      while (!over.signal.aborted) {
        failedSubmissions += await submit();
        await sleep(SUBMIT_SECONDS * 1_000);
      }
    })();
    await change();
    await until('the last old pod gone', async () =>
      (await fleet.services()).every(({ metadata }) => !before.has(metadata?.name ?? '')),
    );
    const seconds = (performance.now() - begun) / 1000;
    const clientResult = load.take();
    over.abort();
    await arriving;
    // A step whose worker has gone is noticed when its lock ends.
    await sleep(40_000);
    const lines = words.take();
    for (const line of lines) process.stderr.write(`${line}\n`);
    const went = await programs(['Running', 'Succeeded']);
    const cuts = sessions.map((session, index) => session.cuts - (cutsBefore[index] ?? 0));
    return {
      seconds,
      replaced: before.size,
      asked: clientResult,
      streamsCut: cuts.reduce((sum, one) => sum + one, 0),
      said: countsOf(lines),
      programs: { atWork: atWork.size, wentOn: [...atWork].filter((uid) => went.has(uid)).length },
      sessions: sessions.length - known,
    };
  };
  it(
    'and back disturbs no session, program or request',
    async () => {
      const undisturbed = await call<Session>('/v1/sessions', {}, submission());
      const ended = async (id: string): Promise<boolean> => (await recordOf(id)).status !== 'running';
      await until('the end of the first session', () => ended(undisturbed.id));
      const wanted = JSON.stringify(shapeOf(await recordOf(undisturbed.id)));
      const paths = (): readonly string[] => [
        '/v1/sessions',
        ...sessions.slice(-4).flatMap(({ id }) => [`/v1/sessions/${id}`, `/v1/sessions/${id}/status`]),
      ];
      for (let first = 0; first < 2; first += 1) await submit();
      load = new ClientLoad(fleet, paths, { clients: CLIENTS, everyMs: EVERY_MS });
      const up = await disturbedBy(() => fleet.upgrade(nextVersion));
      const back = await disturbedBy(() => fleet.rollBack());
      await load.stop();
      for (const { id } of sessions) await until(`the end of ${id}`, () => ended(id));
      const records = await Promise.all(sessions.map(({ id }) => recordOf(id)));
      const attempts = records.flatMap(({ cycles }) => cycles.flatMap((cycle) => cycle.attempts));
      const { jobs } = await fleet.programsSeen();
      const unlike = records.filter((record) => JSON.stringify(shapeOf(record)) !== wanted).length;
      const gaps = await Promise.all(sessions.map((session) => misheard(session)));
      tell({ up, back });
      const both = [up, back];
      const sum = (of: (one: Disturbed) => number): number => both.reduce((all, one) => all + of(one), 0);
      deliver([
        figure('sessions submitted before and during both', sessions.length, '>=', 6),
        figure('of these, lost or other than undisturbed', unlike, '<=', 0),
        figure(
          'attempts that had no Job of their own, or two',
          Math.abs(jobs.length - attempts.length - firstAttempts(await recordOf(undisturbed.id))),
          '<=',
          0,
        ),
        figure(
          'attempts that the fleet gave up',
          attempts.filter(({ ending }) => ending?.infrastructure !== false).length,
          '<=',
          0,
        ),
        figure(
          'programs at work that did not continue in their pods',
          sum(({ programs }) => programs.atWork - programs.wentOn),
          '<=',
          0,
        ),
        figure(
          'requests',
          sum(({ asked }) => asked.requests),
          '>=',
          500,
        ),
        figure(
          'requests that failed',
          sum(({ asked }) => asked.failures.length),
          '<=',
          0,
        ),
        figure('submissions that had to be sent again', failedSubmissions, '<=', 0),
        figure('slowest request (ms)', Math.max(...both.map(({ asked }) => asked.slowestMs)), '<=', 5_000),
        figure('event streams that missed or repeated an event', gaps.filter(Boolean).length, '<=', 0),
        figure(
          'steps that lost their worker',
          sum(({ said }) => said.lostWorker),
          '<=',
          0,
        ),
        figure(
          'steps given up',
          sum(({ said }) => said.givenUp),
          '<=',
          0,
        ),
        figure(
          'seconds until all services were replaced, the longer way',
          Math.max(up.seconds, back.seconds),
          '<=',
          300,
        ),
      ]);
    },
    3 * deadlineMs,
  );

  /** Whether a stream told other events than there are. */
  const misheard = async (session: FollowedSession): Promise<boolean> => {
    await session.leave();
    const { events } = await call<{ readonly events: readonly { readonly id: string }[] }>(
      `/v1/sessions/${session.id}/events?limit=1000`,
      { accept: 'application/json' },
    );
    return JSON.stringify(events.map(({ id }) => id)) !== JSON.stringify(session.heard);
  };
});

const firstAttempts = ({ cycles }: Session): number => cycles.reduce((sum, { attempts }) => sum + attempts.length, 0);

const countsOf = (lines: readonly string[]): Readonly<Record<Saying, number>> => {
  const count = (saying: Saying): number => lines.filter((line) => sayingOf(line) === saying).length;
  const names = Object.keys(sayings) as Saying[];
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<Saying, number>;
};

/** The table of what was disturbed. */
const tell = (ways: Readonly<Record<'up' | 'back', Disturbed>>): void => {
  const { up, back } = ways;
  const row = (name: string, of: (one: Disturbed) => number | string): string =>
    `| ${name} | ${String(of(up))} | ${String(of(back))} |\n`;
  process.stderr.write(
    [
      '| | `helm upgrade` | `helm rollback` |\n| --- | --- | --- |\n',
      row('seconds until the last old pod was gone', ({ seconds }) => Math.round(seconds)),
      row('pods of services replaced', ({ replaced }) => replaced),
      row('sessions submitted meanwhile', ({ sessions }) => sessions),
      row('requests', ({ asked }) => asked.requests),
      row('requests that failed', ({ asked }) => asked.failures.length),
      row('slowest request (ms)', ({ asked }) => asked.slowestMs),
      row('event streams cut and taken up again', ({ streamsCut }) => streamsCut),
      row(
        'programs at work at the begin, and that continued',
        ({ programs }) => `${String(programs.atWork)}, ${String(programs.wentOn)}`,
      ),
      row('steps that lost their worker and were taken by another', ({ said }) => said.lostWorker),
      row('steps that failed and were tried again', ({ said }) => said.triedAgain),
      row('steps given up', ({ said }) => said.givenUp),
      row('workers that did not end their steps in time', ({ said }) => said.notDrained),
      ...[...new Set([...up.asked.failures, ...back.asked.failures])].map((line) => `failed: ${line}\n`),
    ].join(''),
  );
};
