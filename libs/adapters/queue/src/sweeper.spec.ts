import { SweeperConfig } from '@fleet/config';
import { Fault } from '@fleet/contracts/faults';
import { wakeUpId } from '@fleet/contracts/runs';
import type { Stage } from '@fleet/contracts/sessions';
import { anEvent, aNewSession, ManualClock, useStores, type TestStore } from '@fleet/testing';
import { Logger } from '@nestjs/common';
import type { JobLookup, JobProducer, JobState } from './job-producer';
import { Sweeper } from './sweeper';
import { WakeUps } from './wake-ups';

const newStore = useStores();

/** Queues that remember job ids, return scripted answers and can fail. */
class FakeJobs {
  readonly added: string[] = [];
  states = new Map<string, JobState>();
  broken = new Set<string>();

  add(_queue: string, job: string, _payload: unknown, jobId: string): Promise<void> {
    if (this.broken.has(jobId)) return Promise.reject(new Fault('queue.unreachable', 'transient', 'away'));
    this.added.push(`${job} ${jobId}`);
    return Promise.resolve();
  }

  lookUp(_queue: string, jobId: string): Promise<JobLookup> {
    return Promise.resolve({ state: this.states.get(jobId) ?? 'missing' });
  }
}

describe('the sweeper', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  const configured = (intervalMs: number): SweeperConfig =>
    Object.assign(new SweeperConfig(), { intervalMs, graceMs: 500, recheckMs: 5_000, batch: 100 });
  let clock: ManualClock;
  let store: TestStore;
  let jobs: FakeJobs;
  let sweeper: Sweeper;
  beforeEach(() => {
    clock = new ManualClock();
    store = newStore(clock);
    jobs = new FakeJobs();
    const producer = jobs as unknown as JobProducer;
    sweeper = new Sweeper(store.schedule, producer, new WakeUps(producer), configured(1000));
  });

  const submit = async (): Promise<string> => {
    const made = aNewSession();
    await store.records.create(made, [], 10_000);
    return made.id;
  };

  it('leaves a fresh wake-up to its fast path', async () => {
    await submit();
    await expect(sweeper.sweep()).resolves.toEqual({ resent: 0, rewoken: 0, postponed: 0 });
    expect(jobs.added).toEqual([]);
  });

  it('sends a forgotten wake-up once, under the same id', async () => {
    const id = await submit();
    clock.forward(500);
    await expect(sweeper.sweep()).resolves.toMatchObject({ resent: 1 });
    await expect(sweeper.sweep()).resolves.toMatchObject({ resent: 0 });
    expect(jobs.added).toEqual([`decide ${id}-v1-w0`]);
  });

  it.each(['missing', 'failed', 'completed'] as const)(
    'wakes an overdue session again whose job is %s',
    async (state) => {
      const id = await submit();
      await store.schedule.acknowledge(id, 1);
      jobs.states.set(`${id}-v1-w0`, state);
      clock.forward(10_000);
      await expect(sweeper.sweep()).resolves.toEqual({ resent: 0, rewoken: 1, postponed: 0 });
      expect(jobs.added).toEqual([`decide ${id}-v1-w1`]);
      await expect(sweeper.sweep()).resolves.toEqual({ resent: 0, rewoken: 0, postponed: 0 });
    },
  );

  it.each(['waiting', 'active'] as const)('only postpones an overdue session whose job is %s', async (state) => {
    const id = await submit();
    await store.schedule.acknowledge(id, 1);
    jobs.states.set(`${id}-v1-w0`, state);
    clock.forward(10_000);
    await expect(sweeper.sweep()).resolves.toEqual({ resent: 0, rewoken: 0, postponed: 1 });
    expect(jobs.added).toEqual([]);
    clock.forward(5_000);
    await expect(sweeper.sweep()).resolves.toMatchObject({ postponed: 1 });
  });

  it('wakes the executor for a cancelled session', async () => {
    const id = await submit();
    await store.records.requestCancel(id, anEvent());
    clock.forward(500);
    await sweeper.sweep();
    expect(jobs.added).toEqual([`cancel ${id}-v2-w0`]);
  });

  it('wakes other sessions although one cannot be woken, and retries that one', async () => {
    const first = await submit();
    const second = await submit();
    const head = await store.records.loadHead(first);
    if (head !== undefined) jobs.broken.add(wakeUpId(head));
    clock.forward(500);
    await expect(sweeper.sweep()).resolves.toMatchObject({ resent: 1 });
    expect(jobs.added).toEqual([`decide ${second}-v1-w0`]);
    jobs.broken.clear();
    clock.forward(5_000);
    await expect(sweeper.sweep()).resolves.toMatchObject({ resent: 1 });
  });

  it('wakes each of many overdue sessions once, however many sweepers find them', async () => {
    for (let made = 0; made < 250; made += 1) await store.schedule.acknowledge(await submit(), 1);
    clock.forward(10_000);
    const producer = jobs as unknown as JobProducer;
    const sweepers = Array.from(
      { length: 6 },
      () => new Sweeper(store.schedule, producer, new WakeUps(producer), configured(1000)),
    );
    await Promise.all(sweepers.map((one) => one.sweep()));
    expect(jobs.added).toHaveLength(250);
    expect(new Set(jobs.added).size).toBe(250);
    expect(jobs.added.every((added) => added.endsWith('-v1-w1'))).toBe(true);
  });

  it('leaves a session in a stage of a newer release to a newer worker, and wakes the others', async () => {
    const foreign: string[] = [];
    const stage = 'reconsidering' as Stage;
    for (let made = 0; made < 100; made += 1) {
      const id = await submit();
      foreign.push(id);
      const to = { stage, cycle: 1, attempt: 1 };
      await store.records.advance({ sessionId: id, fromVersion: 1, to, events: [], dueInMs: 10_000 });
    }
    clock.forward(500);
    await sweeper.sweep();
    const behind = await submit();
    clock.forward(5_000);
    await sweeper.sweep();
    await sweeper.sweep();
    expect(jobs.added).toEqual([`decide ${behind}-v1-w0`]);
    clock.forward(5_000);
    expect((await store.schedule.unacknowledged(500, 1_000)).map(({ id }) => id).sort()).toEqual([...foreign].sort());
    const late = await submit();
    await store.schedule.acknowledge(late, 1);
    clock.forward(10_000);
    await sweeper.sweep();
    await sweeper.sweep();
    expect(jobs.added).toContain(`decide ${late}-v1-w1`);
  });

  it('continues after a store error, and ends when it is stopped', async () => {
    let queries = 0;
    store.schedule.unacknowledged = () => {
      queries += 1;
      return Promise.reject(new Fault('store.unreachable', 'transient', 'away'));
    };
    const producer = jobs as unknown as JobProducer;
    const quick = new Sweeper(store.schedule, producer, new WakeUps(producer), configured(5));
    quick.onApplicationBootstrap();
    // As long as it takes: a sweeper that has ended would never query a third time.
    while (queries < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await quick.beforeApplicationShutdown();
  });
});
