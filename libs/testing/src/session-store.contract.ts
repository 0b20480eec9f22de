import type { SessionHead } from '@fleet/contracts';
import type { SessionStore } from '@fleet/ports';
import { aCycle, aNewSession, anEvent, anId, aRequest } from './builders';
import { ManualClock } from './manual-clock';
import { sessionStoreReads } from './session-store-reads.contract';
import { sessionStoreReopening } from './session-store-reopen.contract';
import { sessionStoreSweeping } from './session-store-sweeping.contract';

/** A store of its own for each test, empty, on the clock it is given. */
export interface StoreUnderTest {
  readonly store: SessionStore;
  readonly close: () => Promise<void>;
}

export type MakeStore = (clock: ManualClock) => Promise<StoreUnderTest>;

/** What every SessionStore must do. Run it in a spec of the implementation. */
export const sessionStoreContract = (name: string, make: MakeStore): void => {
  describe(`${name} as a SessionStore`, () => {
    const clock = new ManualClock();
    let under: StoreUnderTest;
    const store = (): SessionStore => under.store;
    beforeEach(async () => {
      under = await make(clock);
    });
    afterEach(async () => {
      await under.close();
    });
    creating(store, clock);
    advancing(store, clock);
    cancelling(store);
    waking(store, clock);
    sessionStoreSweeping(store, clock);
    sessionStoreReopening(store, clock);
    sessionStoreReads(store, clock);
  });
};

type Get = () => SessionStore;

const creating = (store: Get, clock: ManualClock): void => {
  it('gives back a session as it was created', async () => {
    const made = aNewSession({ request: aRequest({ title: 'Größe "x"\n$()', advice: '' }) });
    await expect(store().create(made, [anEvent()], 1000)).resolves.toBe('created');
    await expect(store().load(made.id)).resolves.toEqual({
      ...made,
      status: 'running',
      stage: 'deciding',
      cycle: 1,
      attempt: 1,
      version: 1,
      wakeUps: 0,
      updatedAt: made.createdAt,
      cycles: [],
    });
  });

  it('changes nothing when the id is taken', async () => {
    const made = aNewSession();
    await store().create(made, [anEvent()], 1000);
    const other = aNewSession({ id: made.id, request: aRequest({ title: 'another' }) });
    await expect(store().create(other, [anEvent()], 1000)).resolves.toBe('exists');
    await expect(store().load(made.id)).resolves.toMatchObject({ request: made.request });
    await expect(store().events(made.id, '0', 10)).resolves.toHaveLength(1);
  });

  it('resumes a recovered session where it was, with its cycles', async () => {
    const cycles = [aCycle({ cycle: 1 }), aCycle({ cycle: 2 })];
    const made = aNewSession({ resume: { status: 'running', stage: 'deciding', cycle: 3, attempt: 1, cycles } });
    await store().create(made, [], 1000);
    await expect(store().load(made.id)).resolves.toMatchObject({ cycle: 3, version: 1, cycles });
    clock.forward(1);
    expect(ids(await store().unacknowledged(0, 10))).toEqual([made.id]);
  });

  it('wakes nobody for a recovered session that has ended', async () => {
    const stop = { reason: 'converged', detail: 'done', afterCycle: 1 } as const;
    const resume = { status: 'completed', stage: 'analysing', cycle: 1, attempt: 1, cycles: [aCycle()], stop } as const;
    const made = aNewSession({ resume });
    await store().create(made, [], 1000);
    await expect(store().load(made.id)).resolves.toMatchObject({ status: 'completed', stop });
    clock.forward(5000);
    await expect(store().unacknowledged(0, 10)).resolves.toEqual([]);
    await expect(store().overdue(10)).resolves.toEqual([]);
  });

  it('knows nothing of a session that was never created', async () => {
    await expect(store().load(anId())).resolves.toBeUndefined();
    await expect(store().loadHead(anId())).resolves.toBeUndefined();
    await expect(store().transitions(anId())).resolves.toEqual([]);
    await expect(store().events(anId(), '0', 10)).resolves.toEqual([]);
  });
};

const toExecuting = { stage: 'executing', cycle: 1, attempt: 1 } as const;

const advancing = (store: Get, clock: ManualClock): void => {
  it('moves a session on with its record, its events and its trail', async () => {
    const { id } = await created(store());
    clock.forward(60_000);
    const cycleRecord = aCycle({ cycle: 1, attempts: [] });
    const moved = await store().advance({
      sessionId: id,
      fromVersion: 1,
      to: toExecuting,
      cycleRecord,
      events: [anEvent({ type: 'program_selected' }), anEvent({ type: 'command_built' })],
      dueInMs: 1000,
    });
    const head = await store().loadHead(id);
    expect(moved).toEqual({ applied: true, head });
    expect(head).toMatchObject({ version: 2, stage: 'executing', updatedAt: new Date(clock.now()).toISOString() });
    await expect(store().load(id)).resolves.toMatchObject({ cycles: [cycleRecord] });
    await expect(store().transitions(id)).resolves.toEqual(['2 1.1 deciding->executing']);
    const events = await store().events(id, '0', 10);
    expect(events.map(({ type }) => type)).toEqual(['session_submitted', 'program_selected', 'command_built']);
  });

  it('replaces the record of a cycle and keeps the others', async () => {
    const { id } = await created(store());
    for (const [version, cycleRecord] of [aCycle({ cycle: 1 }), aCycle({ cycle: 10 }), aCycle({ cycle: 2 })].entries())
      await store().advance({
        sessionId: id,
        fromVersion: version + 1,
        to: toExecuting,
        cycleRecord,
        events: [],
        dueInMs: 1,
      });
    const again = aCycle({ cycle: 2, attempts: [] });
    await store().advance({
      sessionId: id,
      fromVersion: 4,
      to: toExecuting,
      cycleRecord: again,
      events: [],
      dueInMs: 1,
    });
    const session = await store().load(id);
    expect(session?.cycles).toEqual([aCycle({ cycle: 1 }), again, aCycle({ cycle: 10 })]);
  });

  it('refuses a move from another version, and changes nothing', async () => {
    const { id } = await created(store());
    const move = { sessionId: id, fromVersion: 1, to: toExecuting, events: [anEvent()], dueInMs: 1000 };
    await store().advance(move);
    const before = await store().load(id);
    await expect(store().advance({ ...move, cycleRecord: aCycle() })).resolves.toEqual({
      applied: false,
      because: 'stale',
    });
    await expect(store().advance({ ...move, fromVersion: 9 })).resolves.toEqual({ applied: false, because: 'stale' });
    await expect(store().load(id)).resolves.toEqual(before);
    await expect(store().transitions(id)).resolves.toHaveLength(1);
    await expect(store().events(id, '0', 10)).resolves.toHaveLength(2);
  });

  it('applies one of many moves from the same version', async () => {
    const { id } = await created(store());
    const move = { sessionId: id, fromVersion: 1, to: toExecuting, events: [], dueInMs: 1000 };
    const results = await Promise.all(Array.from({ length: 20 }, () => store().advance(move)));
    expect(results.filter(({ applied }) => applied)).toHaveLength(1);
    await expect(store().transitions(id)).resolves.toHaveLength(1);
  });

  it('ends a session, with its reason and off everything that waits', async () => {
    const { id } = await created(store());
    const ended = { reason: 'no_program', detail: 'nothing fits', afterCycle: 0 } as const;
    const moved = await store().advance({ sessionId: id, fromVersion: 1, to: { ended }, events: [], dueInMs: 1 });
    expect(moved).toMatchObject({ applied: true, head: { status: 'failed', version: 2, stage: 'deciding' } });
    await expect(store().load(id)).resolves.toMatchObject({ status: 'failed', stop: ended });
    await expect(store().transitions(id)).resolves.toEqual(['2 1.1 deciding->ended:no_program']);
    clock.forward(100_000);
    await expect(store().overdue(10)).resolves.toEqual([]);
    await expect(store().unacknowledged(0, 10)).resolves.toEqual([]);
    const late = await store().advance({ sessionId: id, fromVersion: 2, to: toExecuting, events: [], dueInMs: 1 });
    expect(late).toEqual({ applied: false, because: 'ended' });
  });

  it('says that a session is missing', async () => {
    const move = { sessionId: anId(), fromVersion: 1, to: toExecuting, events: [], dueInMs: 1 };
    await expect(store().advance(move)).resolves.toEqual({ applied: false, because: 'missing' });
  });
};

const cancelling = (store: Get): void => {
  const event = anEvent({ type: 'session_cancelling' });

  it('fences a cancelled session from the step that was under way', async () => {
    const { id } = await created(store());
    await expect(store().requestCancel(id, event)).resolves.toBe('cancelling');
    const late = await store().advance({ sessionId: id, fromVersion: 1, to: toExecuting, events: [], dueInMs: 1 });
    expect(late).toEqual({ applied: false, because: 'stale' });
    await expect(store().loadHead(id)).resolves.toMatchObject({ status: 'cancelling', version: 2 });
    await expect(store().transitions(id)).resolves.toEqual(['2 1.1 deciding->cancelling']);
  });

  it('cancels once, however often it is asked', async () => {
    const { id } = await created(store());
    await store().requestCancel(id, event);
    await expect(store().requestCancel(id, event)).resolves.toBe('cancelling');
    await expect(store().loadHead(id)).resolves.toMatchObject({ version: 2 });
    await expect(store().events(id, '0', 10)).resolves.toHaveLength(2);
  });

  it('wakes the executor for a cancelled session, which ends it', async () => {
    const { id } = await created(store());
    await store().acknowledge(id, 1);
    await store().requestCancel(id, event);
    await expect(store().unacknowledged(0, 10)).resolves.toMatchObject([{ id, status: 'cancelling', version: 2 }]);
    const ended = { reason: 'cancelled', detail: 'as asked', afterCycle: 0 } as const;
    const moved = await store().advance({ sessionId: id, fromVersion: 2, to: { ended }, events: [], dueInMs: 1 });
    expect(moved).toMatchObject({ applied: true, head: { status: 'cancelled', version: 3 } });
    await expect(store().requestCancel(id, event)).resolves.toBe('ended');
  });

  it('says that there is nothing to cancel', async () => {
    await expect(store().requestCancel(anId(), event)).resolves.toBe('missing');
  });
};

const waking = (store: Get, clock: ManualClock): void => {
  it('keeps a wake-up until it is acknowledged', async () => {
    const { id } = await created(store());
    await expect(store().unacknowledged(500, 10)).resolves.toEqual([]);
    clock.forward(500);
    expect(ids(await store().unacknowledged(500, 10))).toEqual([id]);
    await store().acknowledge(id, 1);
    await expect(store().unacknowledged(0, 10)).resolves.toEqual([]);
  });

  it('ignores the acknowledgement of an older version', async () => {
    const { id } = await created(store());
    await store().advance({ sessionId: id, fromVersion: 1, to: toExecuting, events: [], dueInMs: 1000 });
    await store().acknowledge(id, 1);
    expect(ids(await store().unacknowledged(0, 10))).toEqual([id]);
  });

  it('has no wake-up to acknowledge while a program runs', async () => {
    const { id } = await created(store());
    const move = { sessionId: id, fromVersion: 1, to: toExecuting, events: [], dueInMs: 1000, wakeNow: false };
    await store().advance(move);
    await expect(store().unacknowledged(0, 10)).resolves.toEqual([]);
    clock.forward(1000);
    expect(ids(await store().overdue(10))).toEqual([id]);
  });

  it('names the sessions past their deadline, the oldest first', async () => {
    const slow = await created(store(), 2000);
    const fast = await created(store(), 1000);
    await expect(store().overdue(10)).resolves.toEqual([]);
    clock.forward(2000);
    expect(ids(await store().overdue(10))).toEqual([fast.id, slow.id]);
    expect(ids(await store().overdue(1))).toEqual([fast.id]);
  });

  it('postpones a deadline without another wake-up', async () => {
    const { id } = await created(store(), 1000);
    await store().acknowledge(id, 1);
    clock.forward(1000);
    await expect(store().postpone(id, 1, 5000, false)).resolves.toMatchObject({ wakeUps: 0, version: 1 });
    await expect(store().overdue(10)).resolves.toEqual([]);
    await expect(store().unacknowledged(0, 10)).resolves.toEqual([]);
  });

  it('counts a wake-up that has to be repeated, and a move forgets them', async () => {
    const { id } = await created(store(), 1000);
    await store().acknowledge(id, 1);
    await expect(store().postpone(id, 1, 5000, true)).resolves.toMatchObject({ wakeUps: 1 });
    await expect(store().postpone(id, 1, 5000, true)).resolves.toMatchObject({ wakeUps: 2 });
    expect(ids(await store().unacknowledged(0, 10))).toEqual([id]);
    await store().advance({ sessionId: id, fromVersion: 1, to: toExecuting, events: [], dueInMs: 1000 });
    await expect(store().loadHead(id)).resolves.toMatchObject({ wakeUps: 0 });
  });

  it('does not postpone what has moved on, ended or never was', async () => {
    const { id } = await created(store(), 1000);
    await expect(store().postpone(id, 2, 5000, true)).resolves.toBeUndefined();
    await expect(store().postpone(anId(), 1, 5000, true)).resolves.toBeUndefined();
    const ended = { reason: 'error', detail: 'x', afterCycle: 0 } as const;
    await store().advance({ sessionId: id, fromVersion: 1, to: { ended }, events: [], dueInMs: 1 });
    await expect(store().postpone(id, 2, 5000, true)).resolves.toBeUndefined();
    clock.forward(100_000);
    await expect(store().overdue(10)).resolves.toEqual([]);
  });
};

const created = async (store: SessionStore, dueInMs = 1000): Promise<SessionHead> => {
  const made = aNewSession();
  await store.create(made, [anEvent({ type: 'session_submitted' })], dueInMs);
  return (await store.loadHead(made.id))!;
};

const ids = (heads: readonly SessionHead[]): readonly string[] => heads.map(({ id }) => id);
