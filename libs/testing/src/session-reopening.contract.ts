import type { SessionHead } from '@fleet/contracts/sessions';
import type { Reopening } from '@fleet/ports';
import { aCycle, aNewSession, anEvent, anId, aRequest } from './builders';
import type { PortContract, StorePorts } from './store-ports';

const stop = { reason: 'max_cycles', detail: 'enough', afterCycle: 3 } as const;
const cycles = [aCycle({ cycle: 1 }), aCycle({ cycle: 2 }), aCycle({ cycle: 3 })];
const onward = { stage: 'deciding', cycle: 4, attempt: 1 } as const;

/** An ended session with three cycles. */
const ended = async (store: StorePorts): Promise<SessionHead> => {
  const resume = { status: 'failed', stage: 'analysing', cycle: 3, attempt: 2, cycles, stop } as const;
  const made = aNewSession({ resume });
  await store.records.create(made, [anEvent({ type: 'session_submitted' })], 1000);
  return (await store.records.loadHead(made.id))!;
};

const reopening = (head: SessionHead, changes: Partial<Reopening> = {}): Reopening => ({
  sessionId: head.id,
  fromVersion: head.version,
  to: onward,
  events: [anEvent({ type: 'session_resumed' })],
  dueInMs: 1000,
  ...changes,
});

/** The behavior of `SessionRecords.reopen`. */
export const sessionReopeningContract: PortContract = (store, clock) => {
  it('resumes an ended session, and wakes its next step', async () => {
    const head = await ended(store());
    const request = aRequest({ advice: 'try again' });
    const reopened = await store().records.reopen(reopening(head, { request }));
    expect(reopened).toEqual({ applied: true, head: await store().records.loadHead(head.id) });
    const session = await store().records.load(head.id);
    expect(session).toMatchObject({ ...onward, status: 'running', version: 2, cycles, request });
    expect(session).not.toHaveProperty('stop');
    await expect(store().events.transitions(head.id)).resolves.toEqual(['2 3.2 analysing->deciding']);
    expect((await store().schedule.unacknowledged(0, 10)).map(({ id }) => id)).toEqual([head.id]);
    clock.forward(1000);
    expect((await store().schedule.overdue(10)).map(({ id }) => id)).toEqual([head.id]);
    expect((await store().events.after(head.id, '0', 10)).map(({ type }) => type)).toEqual([
      'session_submitted',
      'session_resumed',
    ]);
    await expect(store().index.list({ status: 'failed' }, 10)).resolves.toMatchObject({ sessions: [] });
    await expect(store().index.list({ status: 'running' }, 10)).resolves.toMatchObject({ sessions: [{ id: head.id }] });
  });

  it('lets a resumed session move as before', async () => {
    const head = await ended(store());
    await store().records.reopen(reopening(head));
    const to = { stage: 'executing', cycle: 4, attempt: 1 } as const;
    const move = { sessionId: head.id, fromVersion: 2, to, cycleRecord: aCycle({ cycle: 4 }), events: [], dueInMs: 1 };
    await expect(store().records.advance(move)).resolves.toMatchObject({
      applied: true,
      head: { version: 3, cycle: 4 },
    });
    expect((await store().records.load(head.id))?.cycles).toHaveLength(4);
  });

  it('removes the last cycles of an ended session, which stays ended and wakes no step', async () => {
    const head = await ended(store());
    const to = { ended: { reason: 'cycles_removed', detail: 'two are gone', afterCycle: 1 } } as const;
    const cut = await store().records.reopen(reopening(head, { to, lastCycle: 1 }));
    expect(cut).toMatchObject({ applied: true, head: { status: 'cancelled', cycle: 3, version: 2 } });
    await expect(store().records.load(head.id)).resolves.toMatchObject({ cycles: [cycles[0]], stop: to.ended });
    expect((await store().records.load(head.id))?.cycles).toHaveLength(1);
    await expect(store().events.transitions(head.id)).resolves.toEqual(['2 3.2 analysing->ended:cycles_removed']);
    clock.forward(100_000);
    await expect(store().schedule.unacknowledged(0, 10)).resolves.toEqual([]);
    await expect(store().schedule.overdue(10)).resolves.toEqual([]);
    await expect(store().index.list({ status: 'cancelled' }, 10)).resolves.toMatchObject({
      sessions: [{ id: head.id }],
    });
  });

  it('reopens once, however many callers request it', async () => {
    const head = await ended(store());
    const results = await Promise.all(Array.from({ length: 10 }, () => store().records.reopen(reopening(head))));
    expect(results.filter(({ applied }) => applied)).toHaveLength(1);
    await expect(store().events.transitions(head.id)).resolves.toHaveLength(1);
  });

  it('does not reopen from another version, a running session, or a missing one; and changes nothing', async () => {
    const head = await ended(store());
    const before = await store().records.load(head.id);
    const reason = async (wanted: Reopening): Promise<unknown> => store().records.reopen(wanted);
    await expect(reason(reopening(head, { fromVersion: 7, lastCycle: 0 }))).resolves.toEqual({
      applied: false,
      reason: 'stale',
    });
    await expect(store().records.load(head.id)).resolves.toEqual(before);
    await expect(store().events.after(head.id, '0', 10)).resolves.toHaveLength(1);
    await expect(reason(reopening(head, { sessionId: anId() }))).resolves.toEqual({
      applied: false,
      reason: 'missing',
    });
    await store().records.reopen(reopening(head));
    await expect(reason(reopening(head, { fromVersion: 2 }))).resolves.toEqual({
      applied: false,
      reason: 'not_ended',
    });
  });
};
