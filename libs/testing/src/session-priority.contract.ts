import type { Session } from '@fleet/contracts/sessions';
import type { Prioritising } from '@fleet/ports';
import { aCycle, aNewSession, anEvent, anId, aResult } from './builders';
import type { PortContract } from './store-ports';

const backfill = (session: Session): Prioritising => ({
  sessionId: session.id,
  fromVersion: session.version,
  request: { ...session.request, priority: 'backfill' },
  events: [anEvent({ type: 'session_prioritised' })],
  dueInMs: 1000,
});

/** The behavior of `SessionRecords.prioritise`. */
export const sessionPriorityContract: PortContract = (store, clock) => {
  const begin = async (): Promise<Session> => {
    const made = aNewSession();
    await store().records.create(made, [anEvent({ type: 'session_submitted' })], 1000);
    return (await store().records.load(made.id))!;
  };
  const typesOf = async ({ id }: Session): Promise<readonly string[]> =>
    (await store().events.after(id, '0', 10)).map(({ type }) => type);

  it("changes it without a move, and wakes the session's step", async () => {
    const before = await begin();
    await store().schedule.acknowledge(before.id, 1);
    const done = await store().records.prioritise(backfill(before));
    expect(done).toEqual({ applied: true, head: await store().records.loadHead(before.id) });
    const { id, request, status, stage, cycle, attempt } = before;
    const position = { status, stage, cycle, attempt };
    const changed = { ...request, priority: 'backfill' };
    await expect(store().records.load(id)).resolves.toMatchObject({ ...position, request: changed, version: 2 });
    expect(await typesOf(before)).toEqual(['session_submitted', 'session_prioritised']);
    await expect(store().events.transitions(id)).resolves.toEqual(['2 1.1 deciding->deciding']);
    expect((await store().schedule.unacknowledged(0, 10)).map((head) => head.id)).toEqual([id]);
    clock.forward(1000);
    expect((await store().schedule.overdue(10)).map((head) => head.id)).toEqual([id]);
    await expect(store().index.list({ status: 'running' }, 10)).resolves.toMatchObject({ sessions: [{ id }] });
  });

  it('changes it once, however many start from the same version', async () => {
    const session = await begin();
    const all = await Promise.all(Array.from({ length: 10 }, () => store().records.prioritise(backfill(session))));
    expect(all.filter(({ applied }) => applied)).toHaveLength(1);
    expect(await typesOf(session)).toEqual(['session_submitted', 'session_prioritised']);
  });

  it('prevents a step that began before from ending a cycle without its event', async () => {
    const session = await begin();
    await store().records.prioritise(backfill(session));
    const ends = {
      sessionId: session.id,
      fromVersion: 1,
      to: { stage: 'deciding', cycle: 2, attempt: 1 } as const,
      cycleRecord: aCycle({ cycle: 1, result: aResult() }),
      events: [anEvent()],
      dueInMs: 1,
    };
    await expect(store().records.advance(ends)).resolves.toEqual({ applied: false, reason: 'stale' });
    await expect(store().records.advance({ ...ends, fromVersion: 2 })).resolves.toMatchObject({ applied: true });
    expect((await typesOf(session)).slice(0, 2)).toEqual(['session_submitted', 'session_prioritised']);
    await expect(store().records.load(session.id)).resolves.toMatchObject({ request: { priority: 'backfill' } });
  });

  it('changes nothing for a session that has moved on, has ended, or is missing', async () => {
    const session = await begin();
    const refused = async (change: Prioritising): Promise<unknown> => store().records.prioritise(change);
    await expect(refused({ ...backfill(session), fromVersion: 2 })).resolves.toMatchObject({ reason: 'stale' });
    await expect(refused({ ...backfill(session), sessionId: anId() })).resolves.toMatchObject({ reason: 'missing' });
    await store().records.requestCancel(session.id, anEvent());
    await expect(refused({ ...backfill(session), fromVersion: 2 })).resolves.toMatchObject({ reason: 'idle' });
    const stop = { reason: 'cancelled', detail: 'enough', afterCycle: 1 } as const;
    const end = { sessionId: session.id, fromVersion: 2, to: { ended: stop }, events: [], dueInMs: 1 };
    await store().records.advance(end);
    await expect(refused({ ...backfill(session), fromVersion: 3 })).resolves.toMatchObject({ reason: 'idle' });
    await expect(store().records.load(session.id)).resolves.toMatchObject({ request: session.request });
  });
};
