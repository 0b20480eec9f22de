import type { RunSlots } from '@fleet/ports';
import {
  aDecision,
  aLaunchPolicy,
  aNewSession,
  anId,
  aRequest,
  ManualClock,
  ScriptedBackend,
  useStores,
  type StorePorts,
} from '@fleet/testing';
import { run, soon, useExecutors, type ExecutorHarness } from './executor-harness';

const newExecutor = useExecutors();
const newStore = useStores();

/** Numbers from 0 to 1 that are the same at each run (Park and Miller). */
const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

/** The slots as a process sees them that dies now and then, before the store has heard it or after. */
const dying = (slots: RunSlots, dies: () => 'before' | 'after' | undefined): RunSlots =>
  new Proxy(slots, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...given: readonly unknown[]) => {
        const when = dies();
        if (when === 'before') throw new Error('died');
        const answer: unknown = await Reflect.apply(member, target, given);
        if (when === 'after') throw new Error('died');
        return answer;
      };
    },
  });

class Facility {
  readonly clock = new ManualClock();
  readonly backend = new ScriptedBackend();
  readonly store: StorePorts = newStore(this.clock);
  killing = false;
  readonly executors: readonly ExecutorHarness[];
  private ended = 0;

  constructor(limit: number, random: () => number) {
    const dies = () => (this.killing && random() < 0.1 ? (random() < 0.5 ? 'before' : 'after') : undefined);
    const { clock } = this;
    this.executors = [1, 2, 3].map(() => {
      const store = { ...this.store, slots: dying(this.store.slots, dies) };
      return newExecutor(this.backend, { clock, store }, { launches: { maxRunning: limit } });
    });
  }

  async submit(proposal: string, priority: 'live' | 'standard' | 'backfill' = 'standard'): Promise<string> {
    const id = anId();
    const request = aRequest({ proposal, priority });
    const createdAt = new Date(this.clock.now()).toISOString();
    await this.store.records.create(aNewSession({ id, request, createdAt }), [], 1000);
    const to = { stage: 'executing', cycle: 1, attempt: 1 } as const;
    const cycleRecord = { cycle: 1, decision: aDecision(), attempts: [] };
    await this.store.records.advance({ sessionId: id, fromVersion: 1, to, cycleRecord, events: [], dueInMs: 1000 });
    return id;
  }

  async isExecuting(id: string): Promise<boolean> {
    return (await this.store.records.loadHead(id))?.stage === 'executing';
  }

  async anyExecuting(ids: readonly string[]): Promise<boolean> {
    return (await Promise.all(ids.map((id) => this.isExecuting(id)))).includes(true);
  }

  /** One executor looks at one session; its death is nobody else's. */
  async look(id: string, executor: ExecutorHarness): Promise<void> {
    try {
      if (await this.isExecuting(id)) await executor.step(id);
    } catch (error) {
      if (!String(error).includes('died')) throw error;
    }
  }

  async endOne(name: string): Promise<void> {
    if ((await this.backend.find({ name, sessionFolder: '', attemptFolder: '' }))?.state !== 'running') return;
    this.backend.end(name);
    this.ended += 1;
  }

  /** Its program has started, and its record says so. */
  async isRecorded(id: string): Promise<boolean> {
    return (await this.store.records.load(id))?.cycles[0]?.attempts.length === 1;
  }

  get running(): number {
    return this.backend.started.length - this.ended;
  }

  async stop(): Promise<void> {
    for (const { endings } of this.executors) await endings.stop();
  }
}

describe('three executors, each of which dies now and then', () => {
  it.each([1, 2, 3, 4, 5])('exceed no limit and lose no slot (seed %d)', async (seed) => {
    const random = seeded(seed);
    const limit = 4;
    const facility = new Facility(limit, random);
    const ids: string[] = [];
    for (let number = 0; number < 24; number += 1) ids.push(await facility.submit(`mx${String(number % 3)}`));
    facility.killing = true;
    for (let turn = 0; turn < 300; turn += 1) {
      const id = ids[Math.floor(random() * ids.length)]!;
      await facility.look(id, facility.executors[turn % 3]!);
      if (random() < 0.1) await facility.endOne(run(id));
      if (turn % 20 === 0) facility.clock.forward(5_000);
      expect(facility.running).toBeLessThanOrEqual(limit);
    }
    facility.killing = false;
    for (let turn = 0; turn < 60 && (await facility.anyExecuting(ids)); turn += 1) {
      for (const [index, id] of ids.entries()) {
        await facility.look(id, facility.executors[index % 3]!);
        expect(facility.running).toBeLessThanOrEqual(limit);
      }
      for (const { name } of facility.backend.started) await facility.endOne(name);
      facility.clock.forward(15_000);
    }
    expect(await facility.anyExecuting(ids)).toBe(false);
    await facility.executors[0]!.pruner.prune();
    expect(await facility.store.slots.census()).toEqual({ taken: {}, waiting: 0 });
    await facility.stop();
  });
});

describe('the next in line', () => {
  it('is started by the end of another one, not by whoever asks first', async () => {
    const facility = new Facility(1, seeded(1));
    const [executor, other] = facility.executors;
    const many = await facility.submit('mx1');
    await executor!.step(many);
    facility.clock.forward(1_000);
    const second = await facility.submit('mx1');
    const third = await facility.submit('mx2');
    const live = await facility.submit('visit', 'live');
    for (const id of [second, third, live]) await executor!.step(id);
    await facility.endOne(run(many));
    await other!.step(many);
    await soon(() => facility.isRecorded(live));
    await facility.endOne(run(live));
    await other!.step(live);
    await soon(() => facility.isRecorded(third));
    // Whoever asks now is told to wait.
    await executor!.step(second);
    expect(facility.backend.started.map(({ name }) => name)).toEqual([run(many), run(live), run(third)]);
    await facility.stop();
  });

  it('follows what an administrator says meanwhile', async () => {
    const facility = new Facility(0, seeded(1));
    const [executor] = facility.executors;
    const ids = [await facility.submit('mx1'), await facility.submit('mx1')];
    await facility.store.shares.set({ policy: aLaunchPolicy({}, { maxPerProposal: 1 }).shares, by: 'ada' });
    for (const id of ids) await executor!.step(id);
    expect(facility.backend.started).toHaveLength(1);
    await facility.store.shares.set({ policy: aLaunchPolicy({}, { maxPerProposal: 2 }).shares, by: 'ada' });
    facility.clock.forward(2_000);
    await executor!.endings.tryWaiting();
    expect(facility.backend.started).toHaveLength(2);
    await facility.stop();
  });
});

describe('slots that were lost', () => {
  it('are counted from the records before anything is launched', async () => {
    const backend = new ScriptedBackend();
    const limit = { launches: { maxRunning: 1 } };
    const before = newExecutor(backend, {}, limit);
    const { clock } = before;
    const [first, second] = [await before.aDecided(), await before.aDecided()];
    await before.step(first);
    // Its slots are empty, as those of a database that was recovered from folders.
    const { slots } = newStore(clock);
    const after = newExecutor(backend, { clock, store: { ...before.store, slots } }, limit);
    await after.step(second);
    expect(backend.started).toHaveLength(1);
    expect(await after.store.slots.census()).toMatchObject({ taken: { all: 1 }, waiting: 1 });
  });

  it('keep everything waiting, with the reason, while they cannot be counted', async () => {
    const backend = new ScriptedBackend();
    const executor = newExecutor(backend);
    const id = await executor.aDecided();
    const lists = jest
      .spyOn(executor.store.index, 'list')
      .mockImplementation(() =>
        Promise.reject(Object.assign(new Error('no answer'), { name: 'Fault', kind: 'transient', code: 'store.slow' })),
      );
    await executor.wait(id);
    expect(backend.started).toEqual([]);
    expect((await executor.load(id)).cycles[0]!.waiting?.reason).toMatch(
      /^no program starts until running programs are counted, which fails: /,
    );
    lists.mockRestore();
    await executor.step(id);
    expect(backend.started).toHaveLength(1);
  });
});
