import { setTimeout as sleep } from 'node:timers/promises';
import { nextGuidance } from '@fleet/advice';
import {
  emptyReading,
  stages,
  type AdviceReading,
  type SessionEvent,
  type Stage,
  type StoredEvent,
} from '@fleet/contracts';
import type { IdleWork } from './idle-stages';
import { KeptProcess } from './kept-process';
import { countOf, eventually, queues, startLoop, submit, trailOf, type Loop } from './loop-harness';

const SESSIONS = 12;
const KILLS = 20;
/** Changes of each session in each stage. */
const CHANGES = 2;
const work: IdleWork = {
  cycles: Infinity,
  minWorkMs: 20,
  maxWorkMs: 80,
  stillRunning: 0.1,
  dueInMs: 500,
  advised: true,
};

const read = (text: string): AdviceReading => ({ ...emptyReading, text, stopsNow: text === 'stop' });

const readEvent = (revision: number, cycle: number, at: string): SessionEvent => ({
  type: 'advice_read',
  cycle,
  at,
  message: 'changed',
  data: { revision },
});

/** Says something new while the session is in that stage, as often as it takes. */
const sayIn = async ({ store }: Loop, id: string, text: string, stage: Stage | undefined): Promise<void> => {
  for (;;) {
    const session = (await store.records.load(id))!;
    const at = new Date().toISOString();
    const guidance = nextGuidance(session, { sources: [{ from: 'text', text }] }, read, at)!;
    const { cycle, guidance: before } = session;
    const from = { revision: before?.revision ?? 1, stage: session.stage, cycle };
    const isThere = stage === undefined || session.stage === stage;
    const events = [readEvent(guidance.revision, cycle, at)];
    if (isThere && (await store.records.advise({ sessionId: id, from, guidance, events })) === 'applied') return;
    await sleep(Math.random() * 20);
  }
};

/** Says something in each stage, and in the end to stop. */
const advise = async (loop: Loop, id: string, enough: () => boolean): Promise<number> => {
  let said = 0;
  while (said < CHANGES * stages.length || !enough()) {
    await sayIn(loop, id, `${id} ${String(said)}`, stages[said % stages.length]);
    said += 1;
    await sleep(Math.random() * 200);
  }
  await sayIn(loop, id, 'stop', undefined);
  return said + 1;
};

/** For each move that follows from guidance: the revision that it has seen, and the one that stood when it was made. */
const seenAndStood = (events: readonly StoredEvent[]): readonly (readonly [unknown, unknown])[] => {
  let stood: unknown = 1;
  const moves: (readonly [unknown, unknown])[] = [];
  for (const { type, data } of events) {
    if (type === 'advice_read') stood = data['revision'];
    else if (data['revision'] !== undefined) moves.push([data['revision'], stood]);
  }
  return moves;
};

describe('advice that changes while workers are killed', () => {
  let loop: Loop;
  let workers: readonly KeptProcess[] = [];
  beforeEach(async () => {
    loop = await startLoop();
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await loop.end();
  });

  it('is taken over once in every stage, and every later decision and end follows it', async () => {
    workers = queues.map((queue) => new KeptProcess(() => loop.start(queue, work)));
    await Promise.all(workers.map(({ ready }) => ready));
    const ids = await submit(loop.store, SESSIONS, 500);
    let kills = 0;
    const killing = (async () => {
      while (kills < KILLS) {
        await sleep(50 + Math.random() * 100);
        if (await workers[kills % workers.length]!.kill()) kills += 1;
      }
    })();
    const said = await Promise.all(ids.map((id) => advise(loop, id, () => kills >= KILLS)));
    await killing;
    await eventually(
      () => countOf(loop.store, 'completed'),
      (done) => done === SESSIONS,
    );
    for (const [index, id] of ids.entries()) {
      const session = (await loop.store.records.load(id))!;
      const events = await loop.store.events.after(id, '0', 100_000);
      const revisions = events.filter(({ type }) => type === 'advice_read').map(({ data }) => data['revision']);
      expect(revisions).toEqual(Array.from({ length: said[index]! }, (_, number) => number + 2));
      for (const [seen, stood] of seenAndStood(events)) expect(seen).toBe(stood);
      expect(session.stop).toMatchObject({ reason: 'goal_reached', afterCycle: session.guidance?.endsAfter });
      const trail = trailOf(session.cycle).map((line) => line.replace('nothing_left', 'goal_reached'));
      await expect(loop.store.events.transitions(id)).resolves.toEqual(trail);
    }
  }, 300_000);
});
