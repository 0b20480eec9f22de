import { setTimeout as sleep } from 'node:timers/promises';
import type { IdleWork } from './idle-stages';
import { KeptProcess } from './kept-process';
import { countOf, eventually, queues, startLoop, submit, trailOf, type Loop } from './loop-harness';

const SESSIONS = 40;
const work: IdleWork = { cycles: 25, maxWorkMs: 150, stillRunning: 0.1, dueInMs: 1_500 };
const KILLS = 30;
const REDIS_KILLS = 5;
/** After the last kill; seconds where no other work shares the machine. */
const WITHIN_MS = 600_000;

describe('the loop under kill -9', () => {
  let loop: Loop;
  let workers: readonly KeptProcess[] = [];
  beforeEach(async () => {
    loop = await startLoop();
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await loop.end();
  });

  it(`ends every session the same way, no transition lost, repeated or out of order`, async () => {
    workers = queues.flatMap((queue) => [
      new KeptProcess(() => loop.start(queue, work)),
      new KeptProcess(() => loop.start(queue, work)),
    ]);
    await Promise.all(workers.map(({ ready }) => ready));
    const ids = await submit(loop.store, SESSIONS);
    const kills = await killAtRandom(loop, workers);
    // Otherwise the last kills met a loop that had nothing to do.
    expect(await countOf(loop.store, 'running')).toBeGreaterThan(0);
    await eventually(
      () => countOf(loop.store, 'completed'),
      (done) => done === SESSIONS,
      WITHIN_MS,
    );
    expect(kills).toBeGreaterThanOrEqual(KILLS + REDIS_KILLS);
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));
  }, 1_200_000);
});

/** Kills workers at random moments, and every so often Redis. Returns how many died. */
const killAtRandom = async (loop: Loop, workers: readonly KeptProcess[]): Promise<number> => {
  let kills = 0;
  let redisKills = 0;
  while (kills < KILLS) {
    await sleep(100 + Math.random() * 300);
    const worker = workers[Math.floor(Math.random() * workers.length)]!;
    if (await worker.kill()) kills += 1;
    if (kills >= ((redisKills + 1) * KILLS) / (REDIS_KILLS + 1)) {
      await loop.server.restart();
      redisKills += 1;
    }
  }
  return kills + redisKills;
};
