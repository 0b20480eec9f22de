import type { Session } from '@fleet/contracts/sessions';
import type { Advising, Transition } from '@fleet/ports';
import { aCycle, aDecision, aGuidance, aNewSession, anEvent, anId, aResult } from './builders';
import type { PortContract } from './store-ports';

const decided = { stage: 'executing', cycle: 1, attempt: 1 } as const;

const advising = ({ id, stage, cycle }: Session, revision: number, changes: Partial<Advising> = {}): Advising => ({
  sessionId: id,
  from: { revision, stage, cycle },
  guidance: aGuidance({ revision: revision + 1 }),
  events: [anEvent({ type: 'advice_read' })],
  ...changes,
});

const move = ({ id, version }: Session, changes: Partial<Transition> = {}): Transition => ({
  sessionId: id,
  fromVersion: version,
  to: decided,
  cycleRecord: { cycle: 1, decision: aDecision(), attempts: [] },
  events: [],
  dueInMs: 1,
  ...changes,
});

/** A store's handling of guidance, which is stored beside the record and changes without moving it. */
export const sessionGuidanceContract: PortContract = (store) => {
  const begin = async (changes: Parameters<typeof aNewSession>[0] = {}): Promise<Session> => {
    const made = aNewSession(changes);
    await store().records.create(made, [anEvent({ type: 'session_submitted' })], 1000);
    return (await store().records.load(made.id))!;
  };
  const typesOf = async ({ id }: Session): Promise<readonly string[]> =>
    (await store().events.after(id, '0', 10)).map(({ type }) => type);

  it('stores it with the session, and shows its revision in the head once it has changed', async () => {
    const guidance = aGuidance();
    const session = await begin({ guidance });
    expect(session.guidance).toEqual(guidance);
    expect(await store().records.loadHead(session.id)).not.toHaveProperty('advised');
    await expect(store().records.advise(advising(session, 1))).resolves.toBe('applied');
    await expect(store().records.loadHead(session.id)).resolves.toMatchObject({ advised: 2, version: 1 });
    const { sessions } = await store().index.list({}, 1);
    expect(sessions[0]).toMatchObject({ id: session.id, advised: 2 });
    await expect(begin({ guidance: aGuidance({ revision: 7 }) })).resolves.toMatchObject({ guidance: { revision: 7 } });
  });

  it('changes it while the session runs, without a move', async () => {
    const before = await begin();
    const wanted = advising(before, 1);
    await expect(store().records.advise(wanted)).resolves.toBe('applied');
    await expect(store().records.load(before.id)).resolves.toEqual({ ...before, guidance: wanted.guidance });
    expect(await typesOf(before)).toEqual(['session_submitted', 'advice_read']);
    await expect(store().events.transitions(before.id)).resolves.toEqual([]);
    await expect(store().records.advance(move(before))).resolves.toMatchObject({ applied: true });
    await expect(store().records.load(before.id)).resolves.toMatchObject({ guidance: wanted.guidance, version: 2 });
  });

  it('changes it once, however many start from the same revision', async () => {
    const session = await begin();
    const all = await Promise.all(Array.from({ length: 10 }, () => store().records.advise(advising(session, 1))));
    expect(all.filter((result) => result === 'applied')).toHaveLength(1);
    expect(all.filter((result) => result === 'stale')).toHaveLength(9);
    expect(await typesOf(session)).toEqual(['session_submitted', 'advice_read']);
  });

  it('refuses a move based on older guidance; no other', async () => {
    const session = await begin();
    await store().records.advise(advising(session, 1));
    const before = await store().records.load(session.id);
    const old = await store().records.advance(move(session, { guidance: 1 }));
    expect(old).toEqual({ applied: false, reason: 'advised' });
    await expect(store().records.load(session.id)).resolves.toEqual(before);
    await expect(store().records.advance(move(session, { guidance: 2 }))).resolves.toMatchObject({ applied: true });
    const executing = (await store().records.load(session.id))!;
    await expect(store().records.advise(advising(executing, 2))).resolves.toBe('applied');
    const to = { stage: 'analysing', cycle: 1, attempt: 1 } as const;
    await expect(store().records.advance(move(executing, { to }))).resolves.toMatchObject({ applied: true });
  });

  it('accepts a reading of the same text with a move, and only with one based on it', async () => {
    const begun = await begin({ guidance: aGuidance() });
    const reading = aGuidance({ reader: 'model', modelReading: { prompt: 'directives 1', requests: 1 } });
    const to = { stage: 'deciding', cycle: 1, attempt: 1 } as const;
    const read: Transition = { sessionId: begun.id, fromVersion: 1, to, reading, guidance: 1, events: [], dueInMs: 1 };
    await expect(store().records.advance({ ...read, guidance: 2 })).resolves.toMatchObject({ reason: 'advised' });
    await expect(store().records.load(begun.id)).resolves.toEqual(begun);
    await expect(store().records.advance(read)).resolves.toMatchObject({ applied: true });
    const after = (await store().records.load(begun.id))!;
    expect(after).toMatchObject({ version: 2, stage: 'deciding', cycle: 1, cycles: [], guidance: reading });
    expect(await store().records.loadHead(begun.id)).not.toHaveProperty('advised');
    await expect(store().records.advance(read)).resolves.toMatchObject({ reason: 'stale' });
    await store().records.advise(advising(after, 1));
    const reread = aGuidance({ revision: 2, reader: 'model' });
    const second = { ...read, fromVersion: 2, guidance: 2, reading: reread };
    await expect(store().records.advance(second)).resolves.toMatchObject({ applied: true });
    await expect(store().records.load(begun.id)).resolves.toMatchObject({ version: 3, guidance: reread });
  });

  it('loses no event when a cycle ends', async () => {
    const session = await begin();
    await store().records.advise(advising(session, 1));
    const record = aCycle({ cycle: 1, result: aResult() });
    const to = { stage: 'deciding', cycle: 2, attempt: 1 } as const;
    const ends = move(session, { to, cycleRecord: record, guidance: 1 });
    await expect(store().records.advance(ends)).resolves.toMatchObject({ applied: false });
    await expect(store().records.advance({ ...ends, guidance: 2 })).resolves.toMatchObject({ applied: true });
    const next = (await store().records.load(session.id))!;
    await store().records.advise(advising(next, 2));
    expect(await typesOf(session)).toEqual(['session_submitted', 'advice_read', 'advice_read']);
  });

  it('changes nothing for another revision, another stage, an ended session, or a missing one', async () => {
    const session = await begin();
    const tryIt = (wanted: Advising): Promise<unknown> => store().records.advise(wanted);
    await expect(tryIt(advising(session, 2))).resolves.toBe('stale');
    await expect(tryIt(advising(session, 1, { from: { revision: 1, ...decided } }))).resolves.toBe('moved');
    await expect(tryIt(advising({ ...session, id: anId() }, 1))).resolves.toBe('missing');
    await store().records.requestCancel(session.id, anEvent());
    await expect(tryIt(advising(session, 1))).resolves.toBe('idle');
    expect(await store().records.load(session.id)).not.toHaveProperty('guidance');
  });

  it('replaces it with a resumed session', async () => {
    const stop = { reason: 'max_cycles', detail: 'enough', afterCycle: 0 } as const;
    const resume = { status: 'failed', stage: 'deciding', cycle: 1, attempt: 1, cycles: [], stop } as const;
    const session = await begin({ resume, guidance: aGuidance({ revision: 3 }) });
    expect(session.guidance).toEqual(aGuidance({ revision: 3 }));
    await expect(store().records.advise(advising(session, 3))).resolves.toBe('idle');
    const guidance = aGuidance({ revision: 4 });
    const to = { stage: 'deciding', cycle: 1, attempt: 1 } as const;
    const reopening = { sessionId: session.id, fromVersion: 1, to, guidance, events: [], dueInMs: 1 };
    const reopened = await store().records.reopen(reopening);
    expect(reopened).toEqual({ applied: true, head: await store().records.loadHead(session.id) });
    await expect(store().records.load(session.id)).resolves.toMatchObject({ status: 'running', guidance });
  });

  it('keeps it with a session that is resumed unchanged', async () => {
    const stop = { reason: 'max_cycles', detail: 'enough', afterCycle: 0 } as const;
    const resume = { status: 'failed', stage: 'deciding', cycle: 1, attempt: 1, cycles: [], stop } as const;
    const guidance = aGuidance({ revision: 3 });
    const session = await begin({ resume, guidance });
    const to = { stage: 'deciding', cycle: 1, attempt: 1 } as const;
    await store().records.reopen({ sessionId: session.id, fromVersion: 1, to, events: [], dueInMs: 1 });
    await expect(store().records.load(session.id)).resolves.toMatchObject({ status: 'running', guidance });
    await expect(store().records.loadHead(session.id)).resolves.toMatchObject({ advised: 3 });
  });
};
