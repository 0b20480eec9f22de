import { Queues } from '@fleet/contracts/queues';
import { WakeUps } from '@fleet/queue';
import { anEvent, freePort } from '@fleet/testing';
import type { IdleWork } from './idle-stages';
import {
  allEnded,
  countOf,
  eventually,
  moreMoves,
  queues,
  startLoop,
  submit,
  trailOf,
  type Loop,
} from './loop-harness';

const work: IdleWork = { cycles: 3, maxWorkMs: 5, stillRunning: 0, dueInMs: 1_500 };

describe('the loop', () => {
  let loop: Loop;
  beforeEach(async () => {
    loop = await startLoop();
  });
  afterEach(async () => {
    await loop.end();
  });

  it('brings sessions from their submission to their end, each transition once and in order, and counts each step', async () => {
    const ports = await Promise.all(queues.map(() => freePort()));
    for (const [index, queue] of queues.entries())
      await loop.startHere(queue, work, { FLEET_HEALTH_PORT: String(ports[index]) });
    const ids = await submit(loop.store, 20);
    await allEnded(loop.store, ids.length);
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));

    const pages = await Promise.all(ports.map(scraped));
    const sum = (line: string): number => pages.reduce((total, page) => total + valueOf(page, line), 0);
    for (const job of ['decide', 'execute', 'analyse'])
      expect([job, sum(`phenix_fleet_steps_total{step="${job}",outcome="advanced"}`)]).toEqual([job, 60]);
    expect(sum('phenix_fleet_step_seconds_count{step="decide"}')).toBeGreaterThanOrEqual(60);
    // No wake-up was sent at once: the sweepers sent the first step of each.
    expect(sum('phenix_fleet_sweeper_sessions_total{found="resent"}')).toBeGreaterThanOrEqual(20);
    for (const page of pages) {
      expect(page).toMatch(/^process_resident_memory_bytes \d+/m);
      for (const id of ids) expect(page).not.toContain(id);
    }
  });

  it('recovers when Redis is emptied', async () => {
    await loop.startAllHere({ ...work, cycles: 10, maxWorkMs: 60 });
    const ids = await submit(loop.store, 20);
    for (let round = 0; round < 3; round += 1) {
      await moreMoves(loop.store, 20);
      expect(await loop.redis.dbsize()).toBeGreaterThan(0);
      await loop.redis.flushall();
    }
    await allEnded(loop.store, ids.length);
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(10));
  });

  it('does not advance a cancelled session, and ends it', async () => {
    await loop.startAllHere({ ...work, cycles: Infinity, maxWorkMs: 30 });
    const ids = await submit(loop.store, 20);
    await moreMoves(loop.store, 50);
    for (const id of ids) await expect(loop.store.records.requestCancel(id, anEvent())).resolves.toBe('cancelling');
    await eventually(
      () => countOf(loop.store, 'cancelled'),
      (done) => done === ids.length,
    );
    for (const id of ids) {
      const trail = await loop.store.events.transitions(id);
      expect(trail.at(-2)).toMatch(/->cancelling$/);
      expect(trail.at(-1)).toMatch(/->ended:cancelled$/);
    }
  });

  it('runs a step once for many wake-ups', async () => {
    const worker = await loop.startHere(Queues.decisions, work);
    const [id = ''] = await submit(loop.store, 1);
    for (let again = 0; again < 5; again += 1) {
      const head = await loop.store.schedule.postpone(id, 1, 0, true);
      if (head !== undefined) await worker.get(WakeUps).send(head);
    }
    await eventually(
      () => loop.store.records.loadHead(id),
      (head) => head?.version === 2,
    );
    await eventually(
      () => unfinished(loop, 'decisions'),
      (jobs) => jobs === 0,
    );
    await expect(loop.store.events.transitions(id)).resolves.toEqual(['2 1.1 deciding->executing']);
  });
});

const scraped = async (port: number): Promise<string> =>
  (await fetch(`http://127.0.0.1:${String(port)}/metrics`, { headers: { connection: 'close' } })).text();
const valueOf = (page: string, line: string): number => Number(page.split(`\n${line} `)[1]?.split('\n')[0] ?? 0);

/** Jobs that a queue holds and has not done. */
const unfinished = async ({ redis }: Loop, queue: string): Promise<number> => {
  const key = `loop:bq:${queue}`;
  const lists = await Promise.all(['wait', 'active', 'paused'].map((list) => redis.llen(`${key}:${list}`)));
  const sets = await Promise.all(['delayed', 'prioritized'].map((set) => redis.zcard(`${key}:${set}`)));
  return [...lists, ...sets].reduce((sum, count) => sum + count, 0);
};
