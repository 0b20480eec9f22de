import type { SessionHead } from '@fleet/contracts/sessions';
import { aCycle, aNewSession, anEvent, anId, aRequest } from './builders';
import type { ManualClock } from './manual-clock';
import type { PortContract, StorePorts } from './store-ports';

type Get = () => StorePorts;

/** The behavior of every SessionRecords; reopening has a separate contract. */
export const sessionRecordsContract: PortContract = (store, clock) => {
  creating(store, clock);
  advancing(store, clock);
  cancelling(store);
};

const creating = (store: Get, clock: ManualClock): void => {
  it('returns a session as it was created', async () => {
    const made = aNewSession({ request: aRequest({ title: 'Größe "x"\n$()', advice: '' }) });
    await expect(store().records.create(made, [anEvent()], 1000)).resolves.toBe('created');
    await expect(store().records.load(made.id)).resolves.toEqual({
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

  it('changes nothing when the id exists', async () => {
    const made = aNewSession();
    await store().records.create(made, [anEvent()], 1000);
    const other = aNewSession({ id: made.id, request: aRequest({ title: 'another' }) });
    await expect(store().records.create(other, [anEvent()], 1000)).resolves.toBe('exists');
    await expect(store().records.load(made.id)).resolves.toMatchObject({ request: made.request });
    await expect(store().events.after(made.id, '0', 10)).resolves.toHaveLength(1);
  });

  it('creates it once for concurrent callers', async () => {
    const made = aNewSession();
    const all = [aNewSession(), aNewSession(), made, made, aNewSession(), made];
    const outcomes = await Promise.all(all.map((one) => store().records.create(one, [anEvent()], 1000)));
    expect(outcomes.filter((outcome) => outcome === 'exists')).toHaveLength(2);
    for (const { id } of all) await expect(store().events.after(id, '0', 10)).resolves.toHaveLength(1);
  });

  it('resumes a recovered session in its position, with its cycles', async () => {
    const cycles = [aCycle({ cycle: 1 }), aCycle({ cycle: 2 })];
    const made = aNewSession({ resume: { status: 'running', stage: 'deciding', cycle: 3, attempt: 1, cycles } });
    await store().records.create(made, [], 1000);
    await expect(store().records.load(made.id)).resolves.toMatchObject({ cycle: 3, version: 1, cycles });
    clock.forward(1);
    expect(ids(await store().schedule.unacknowledged(0, 10))).toEqual([made.id]);
  });

  it('sends no wake-up for a recovered session that has ended', async () => {
    const stop = { reason: 'converged', detail: 'done', afterCycle: 1 } as const;
    const resume = { status: 'completed', stage: 'analysing', cycle: 1, attempt: 1, cycles: [aCycle()], stop } as const;
    const made = aNewSession({ resume });
    await store().records.create(made, [], 1000);
    await expect(store().records.load(made.id)).resolves.toMatchObject({ status: 'completed', stop });
    clock.forward(5000);
    await expect(store().schedule.unacknowledged(0, 10)).resolves.toEqual([]);
    await expect(store().schedule.overdue(10)).resolves.toEqual([]);
  });

  it('returns nothing for an unknown session', async () => {
    await expect(store().records.load(anId())).resolves.toBeUndefined();
    await expect(store().records.loadHead(anId())).resolves.toBeUndefined();
    await expect(store().events.transitions(anId())).resolves.toEqual([]);
    await expect(store().events.after(anId(), '0', 10)).resolves.toEqual([]);
  });
};

const toExecuting = { stage: 'executing', cycle: 1, attempt: 1 } as const;

const advancing = (store: Get, clock: ManualClock): void => {
  it('moves a session with its record, its events and its trail', async () => {
    const { id } = await created(store());
    clock.forward(60_000);
    const cycleRecord = aCycle({ cycle: 1, attempts: [] });
    const moved = await store().records.advance({
      sessionId: id,
      fromVersion: 1,
      to: toExecuting,
      cycleRecord,
      events: [anEvent({ type: 'program_selected' }), anEvent({ type: 'command_built' })],
      dueInMs: 1000,
    });
    const head = await store().records.loadHead(id);
    expect(moved).toEqual({ applied: true, head });
    expect(head).toMatchObject({ version: 2, stage: 'executing', updatedAt: new Date(clock.now()).toISOString() });
    await expect(store().records.load(id)).resolves.toMatchObject({ cycles: [cycleRecord] });
    await expect(store().events.transitions(id)).resolves.toEqual(['2 1.1 deciding->executing']);
    const events = await store().events.after(id, '0', 10);
    expect(events.map(({ type }) => type)).toEqual(['session_submitted', 'program_selected', 'command_built']);
  });

  it('replaces the record of a cycle and keeps the others', async () => {
    const { id } = await created(store());
    for (const [version, cycleRecord] of [aCycle({ cycle: 1 }), aCycle({ cycle: 10 }), aCycle({ cycle: 2 })].entries())
      await store().records.advance({
        sessionId: id,
        fromVersion: version + 1,
        to: toExecuting,
        cycleRecord,
        events: [],
        dueInMs: 1,
      });
    const again = aCycle({ cycle: 2, attempts: [] });
    await store().records.advance({
      sessionId: id,
      fromVersion: 4,
      to: toExecuting,
      cycleRecord: again,
      events: [],
      dueInMs: 1,
    });
    const session = await store().records.load(id);
    expect(session?.cycles).toEqual([aCycle({ cycle: 1 }), again, aCycle({ cycle: 10 })]);
  });

  it('stores what a decision waits for until the next move', async () => {
    const { id } = await created(store());
    const decision = { since: '2026-11-21T08:00:00.000Z', reason: 'site: it is down' };
    const move = { sessionId: id, events: [], dueInMs: 1000 };
    const to = { stage: 'deciding', cycle: 1, attempt: 1 } as const;
    await store().records.advance({ ...move, fromVersion: 1, to, progress: { decision }, wakeNow: false });
    await expect(store().records.load(id)).resolves.toMatchObject({ version: 2, waiting: decision });
    await store().records.advance({ ...move, fromVersion: 2, to: toExecuting, progress: {} });
    await expect(store().records.load(id)).resolves.not.toHaveProperty('waiting');
  });

  it('refuses a move from another version, and changes nothing', async () => {
    const { id } = await created(store());
    const move = { sessionId: id, fromVersion: 1, to: toExecuting, events: [anEvent()], dueInMs: 1000 };
    await store().records.advance(move);
    const before = await store().records.load(id);
    await expect(store().records.advance({ ...move, cycleRecord: aCycle() })).resolves.toEqual({
      applied: false,
      reason: 'stale',
    });
    await expect(store().records.advance({ ...move, fromVersion: 9 })).resolves.toEqual({
      applied: false,
      reason: 'stale',
    });
    await expect(store().records.load(id)).resolves.toEqual(before);
    await expect(store().events.transitions(id)).resolves.toHaveLength(1);
    await expect(store().events.after(id, '0', 10)).resolves.toHaveLength(2);
  });

  it('applies one of many moves from the same version', async () => {
    const { id } = await created(store());
    const move = { sessionId: id, fromVersion: 1, to: toExecuting, events: [], dueInMs: 1000 };
    const results = await Promise.all(Array.from({ length: 20 }, () => store().records.advance(move)));
    expect(results.filter(({ applied }) => applied)).toHaveLength(1);
    await expect(store().events.transitions(id)).resolves.toHaveLength(1);
  });

  it('ends a session, with its reason and without pending work', async () => {
    const { id } = await created(store());
    const ended = { reason: 'no_program', detail: 'nothing fits', afterCycle: 0 } as const;
    const moved = await store().records.advance({
      sessionId: id,
      fromVersion: 1,
      to: { ended },
      events: [],
      dueInMs: 1,
    });
    expect(moved).toMatchObject({ applied: true, head: { status: 'failed', version: 2, stage: 'deciding' } });
    await expect(store().records.load(id)).resolves.toMatchObject({ status: 'failed', stop: ended });
    await expect(store().events.transitions(id)).resolves.toEqual(['2 1.1 deciding->ended:no_program']);
    clock.forward(100_000);
    await expect(store().schedule.overdue(10)).resolves.toEqual([]);
    await expect(store().schedule.unacknowledged(0, 10)).resolves.toEqual([]);
    const late = await store().records.advance({
      sessionId: id,
      fromVersion: 2,
      to: toExecuting,
      events: [],
      dueInMs: 1,
    });
    expect(late).toEqual({ applied: false, reason: 'ended' });
  });

  it('reports a missing session', async () => {
    const move = { sessionId: anId(), fromVersion: 1, to: toExecuting, events: [], dueInMs: 1 };
    await expect(store().records.advance(move)).resolves.toEqual({ applied: false, reason: 'missing' });
  });
};

const cancelling = (store: Get): void => {
  const event = anEvent({ type: 'session_cancelling' });

  it('fences a cancelled session from the step in progress', async () => {
    const { id } = await created(store());
    await expect(store().records.requestCancel(id, event)).resolves.toBe('cancelling');
    const late = await store().records.advance({
      sessionId: id,
      fromVersion: 1,
      to: toExecuting,
      events: [],
      dueInMs: 1,
    });
    expect(late).toEqual({ applied: false, reason: 'stale' });
    await expect(store().records.loadHead(id)).resolves.toMatchObject({ status: 'cancelling', version: 2 });
    await expect(store().events.transitions(id)).resolves.toEqual(['2 1.1 deciding->cancelling']);
  });

  it('cancels once, however often it is requested', async () => {
    const { id } = await created(store());
    await store().records.requestCancel(id, event);
    await expect(store().records.requestCancel(id, event)).resolves.toBe('cancelling');
    await expect(store().records.loadHead(id)).resolves.toMatchObject({ version: 2 });
    await expect(store().events.after(id, '0', 10)).resolves.toHaveLength(2);
  });

  it('wakes the executor for a cancelled session, which ends it', async () => {
    const { id } = await created(store());
    await store().schedule.acknowledge(id, 1);
    await store().records.requestCancel(id, event);
    await expect(store().schedule.unacknowledged(0, 10)).resolves.toMatchObject([
      { id, status: 'cancelling', version: 2 },
    ]);
    const ended = { reason: 'cancelled', detail: 'as asked', afterCycle: 0 } as const;
    const moved = await store().records.advance({
      sessionId: id,
      fromVersion: 2,
      to: { ended },
      events: [],
      dueInMs: 1,
    });
    expect(moved).toMatchObject({ applied: true, head: { status: 'cancelled', version: 3 } });
    await expect(store().records.requestCancel(id, event)).resolves.toBe('ended');
  });

  it('reports that there is nothing to cancel', async () => {
    await expect(store().records.requestCancel(anId(), event)).resolves.toBe('missing');
  });
};

const created = async (store: StorePorts, dueInMs = 1000): Promise<SessionHead> => {
  const made = aNewSession();
  await store.records.create(made, [anEvent({ type: 'session_submitted' })], dueInMs);
  return (await store.records.loadHead(made.id))!;
};

const ids = (heads: readonly SessionHead[]): readonly string[] => heads.map(({ id }) => id);
