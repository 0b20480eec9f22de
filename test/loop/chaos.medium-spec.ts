import type { QueueName } from '@fleet/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProcess } from './idle-process';
import type { IdleWork } from './idle-stages';
import { countOf, eventually, queues, startLoop, submit, trailOf, type Loop } from './loop-harness';

const SESSIONS = 40;
const work: IdleWork = { cycles: 25, maxWorkMs: 150, stillRunning: 0.1, dueInMs: 1_500 };
const KILLS = 30;
const REDIS_KILLS = 4;

/** Keeps a worker of a queue alive: starts it again whenever it was killed. */
class KeptWorker {
  private current: TestProcess;
  private stopped = false;

  constructor(
    private readonly loop: Loop,
    private readonly queue: QueueName,
  ) {
    this.current = this.start();
  }

  get ready(): Promise<void> {
    return this.current.ready;
  }

  /** SIGKILL; false when it is not up again yet after the last one. */
  async kill(): Promise<boolean> {
    const up = await Promise.race([this.current.ready.then(() => true), sleep(50, false)]);
    return up && this.current.child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.current.child.kill('SIGKILL');
    await this.current.ended;
  }

  private start(): TestProcess {
    const started = this.loop.start(this.queue, work);
    void started.ended.then(() => {
      if (!this.stopped) this.current = this.start();
    });
    return started;
  }
}

describe('the loop under kill -9', () => {
  let loop: Loop;
  let workers: readonly KeptWorker[] = [];
  beforeEach(async () => {
    loop = await startLoop();
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await loop.end();
  });

  it(`ends every session the same way, no transition lost, repeated or out of order`, async () => {
    workers = queues.flatMap((queue) => [new KeptWorker(loop, queue), new KeptWorker(loop, queue)]);
    await Promise.all(workers.map(({ ready }) => ready));
    const ids = await submit(loop.store, SESSIONS);
    const kills = await killAtRandom(loop, workers);
    // Otherwise the last kills met a loop that had nothing to do.
    expect(await countOf(loop.store, 'running')).toBeGreaterThan(0);
    await eventually(
      () => countOf(loop.store, 'completed'),
      (done) => done === SESSIONS,
      40_000,
    );
    expect(kills).toBeGreaterThanOrEqual(KILLS + REDIS_KILLS);
    for (const id of ids) await expect(loop.store.transitions(id)).resolves.toEqual(trailOf(work.cycles));
  });
});

/** Kills workers at random moments, and every so often Redis. Returns how many died. */
const killAtRandom = async (loop: Loop, workers: readonly KeptWorker[]): Promise<number> => {
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
