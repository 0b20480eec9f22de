import type { SessionHead } from '@fleet/contracts/sessions';
import { aNewSession, anEvent, anId } from './builders';
import type { ManualClock } from './manual-clock';
import type { PortContract, StorePorts } from './store-ports';

type Get = () => StorePorts;

/** The behavior of every StepSchedule, for sweepers and for steps that are given up. */
export const stepScheduleContract: PortContract = (store, clock) => {
  waking(store, clock);
  claiming(store, clock);
  countingFailures(store);
};

const toExecuting = { stage: 'executing', cycle: 1, attempt: 1 } as const;

const waking = (store: Get, clock: ManualClock): void => {
  it('keeps a wake-up until it is acknowledged', async () => {
    const { id } = await created(store());
    await expect(store().schedule.unacknowledged(500, 10)).resolves.toEqual([]);
    clock.forward(500);
    expect(idsOf(await store().schedule.unacknowledged(500, 10))).toEqual([id]);
    await store().schedule.acknowledge(id, 1);
    await expect(store().schedule.unacknowledged(0, 10)).resolves.toEqual([]);
  });

  it('ignores the acknowledgement of an older version', async () => {
    const { id } = await created(store());
    await store().records.advance({ sessionId: id, fromVersion: 1, to: toExecuting, events: [], dueInMs: 1000 });
    await store().schedule.acknowledge(id, 1);
    expect(idsOf(await store().schedule.unacknowledged(0, 10))).toEqual([id]);
  });

  it('has no pending wake-up while a program runs', async () => {
    const { id } = await created(store());
    const move = { sessionId: id, fromVersion: 1, to: toExecuting, events: [], dueInMs: 1000, wakeNow: false };
    await store().records.advance(move);
    await expect(store().schedule.unacknowledged(0, 10)).resolves.toEqual([]);
    clock.forward(1000);
    expect(idsOf(await store().schedule.overdue(10))).toEqual([id]);
  });

  it('lists the overdue sessions, the oldest first', async () => {
    const slow = await created(store(), 2000);
    const fast = await created(store(), 1000);
    await expect(store().schedule.overdue(10)).resolves.toEqual([]);
    clock.forward(2000);
    expect(idsOf(await store().schedule.overdue(10))).toEqual([fast.id, slow.id]);
    expect(idsOf(await store().schedule.overdue(1))).toEqual([fast.id]);
  });

  it('postpones a deadline without another wake-up', async () => {
    const { id } = await created(store(), 1000);
    await store().schedule.acknowledge(id, 1);
    clock.forward(1000);
    await expect(store().schedule.postpone(id, 1, 5000, false)).resolves.toMatchObject({ wakeUps: 0, version: 1 });
    await expect(store().schedule.overdue(10)).resolves.toEqual([]);
    await expect(store().schedule.unacknowledged(0, 10)).resolves.toEqual([]);
  });

  it('counts repeated wake-ups, and a move resets the count', async () => {
    const { id } = await created(store(), 1000);
    await store().schedule.acknowledge(id, 1);
    await expect(store().schedule.postpone(id, 1, 5000, true)).resolves.toMatchObject({ wakeUps: 1 });
    await expect(store().schedule.postpone(id, 1, 5000, true)).resolves.toMatchObject({ wakeUps: 2 });
    expect(idsOf(await store().schedule.unacknowledged(0, 10))).toEqual([id]);
    await store().records.advance({ sessionId: id, fromVersion: 1, to: toExecuting, events: [], dueInMs: 1000 });
    await expect(store().records.loadHead(id)).resolves.toMatchObject({ wakeUps: 0 });
  });

  it('does not postpone a session that has moved on, ended or never existed', async () => {
    const { id } = await created(store(), 1000);
    await expect(store().schedule.postpone(id, 2, 5000, true)).resolves.toBeUndefined();
    await expect(store().schedule.postpone(anId(), 1, 5000, true)).resolves.toBeUndefined();
    const ended = { reason: 'error', detail: 'x', afterCycle: 0 } as const;
    await store().records.advance({ sessionId: id, fromVersion: 1, to: { ended }, events: [], dueInMs: 1 });
    await expect(store().schedule.postpone(id, 2, 5000, true)).resolves.toBeUndefined();
    clock.forward(100_000);
    await expect(store().schedule.overdue(10)).resolves.toEqual([]);
  });
};

const claiming = (store: Get, clock: ManualClock): void => {
  const submit = async (count: number): Promise<readonly string[]> => {
    const made = Array.from({ length: count }, () => aNewSession());
    for (const session of made) await store().records.create(session, [], 1000);
    return made.map(({ id }) => id);
  };

  it('returns different overdue sessions to each sweeper, until the claim expires', async () => {
    const submitted = await submit(5);
    clock.forward(1000);
    const looks = await Promise.all([
      store().schedule.overdue(2, 3000),
      store().schedule.overdue(2, 3000),
      store().schedule.overdue(2, 3000),
    ]);
    expect(looks.flatMap(idsOf).sort()).toEqual([...submitted].sort());
    clock.forward(2999);
    await expect(store().schedule.overdue(10)).resolves.toEqual([]);
    clock.forward(1);
    expect([...idsOf(await store().schedule.overdue(10))].sort()).toEqual([...submitted].sort());
  });

  it('returns different unacknowledged wake-ups to each sweeper, until the claim expires', async () => {
    const submitted = await submit(3);
    clock.forward(500);
    const looks = await Promise.all([
      store().schedule.unacknowledged(500, 2, 3000),
      store().schedule.unacknowledged(500, 2, 3000),
    ]);
    expect(looks.flatMap(idsOf).sort()).toEqual([...submitted].sort());
    clock.forward(2999);
    await expect(store().schedule.unacknowledged(500, 10)).resolves.toEqual([]);
    clock.forward(1);
    await expect(store().schedule.unacknowledged(500, 10)).resolves.toHaveLength(3);
  });

  it('claims nothing for a mere read', async () => {
    await submit(1);
    clock.forward(1000);
    await expect(store().schedule.overdue(10)).resolves.toHaveLength(1);
    await expect(store().schedule.overdue(10)).resolves.toHaveLength(1);
    await expect(store().schedule.unacknowledged(0, 10)).resolves.toHaveLength(1);
    await expect(store().schedule.unacknowledged(0, 10)).resolves.toHaveLength(1);
  });
};

const countingFailures = (store: Get): void => {
  const created = async (): Promise<string> => {
    const made = aNewSession();
    await store().records.create(made, [], 1000);
    return made.id;
  };
  const wake = (id: string, version = 1): Promise<SessionHead | undefined> =>
    store().schedule.postpone(id, version, 1000, true);

  it('counts consecutive wake-ups whose step failed, each once', async () => {
    const id = await created();
    await expect(store().schedule.countFailure(id, 1)).resolves.toBe(1);
    await expect(store().schedule.countFailure(id, 1)).resolves.toBe(1);
    await wake(id);
    await expect(store().schedule.countFailure(id, 1)).resolves.toBe(2);
    await wake(id);
    await expect(store().schedule.countFailure(id, 1)).resolves.toBe(3);
  });

  it('restarts the count after a wake-up whose step succeeded, and after a move', async () => {
    const id = await created();
    await store().schedule.countFailure(id, 1);
    await wake(id);
    await wake(id);
    await expect(store().schedule.countFailure(id, 1)).resolves.toBe(1);
    await wake(id);
    await expect(store().schedule.countFailure(id, 1)).resolves.toBe(2);
    const to = { stage: 'executing', cycle: 1, attempt: 1 } as const;
    await store().records.advance({ sessionId: id, fromVersion: 1, to, events: [], dueInMs: 1000 });
    await expect(store().schedule.countFailure(id, 2)).resolves.toBe(1);
  });

  it('counts nothing for a session that has moved on, ended or never existed', async () => {
    const id = await created();
    await expect(store().schedule.countFailure(id, 2)).resolves.toBe(0);
    await expect(store().schedule.countFailure(anId(), 1)).resolves.toBe(0);
    const ended = { reason: 'error', detail: 'x', afterCycle: 0 } as const;
    await store().records.advance({ sessionId: id, fromVersion: 1, to: { ended }, events: [anEvent()], dueInMs: 1 });
    await expect(store().schedule.countFailure(id, 2)).resolves.toBe(0);
  });
};

const created = async (store: StorePorts, dueInMs = 1000): Promise<SessionHead> => {
  const made = aNewSession();
  await store.records.create(made, [anEvent({ type: 'session_submitted' })], dueInMs);
  return (await store.records.loadHead(made.id))!;
};

const idsOf = (heads: readonly SessionHead[]): readonly string[] => heads.map(({ id }) => id);
