import type {
  SessionFit,
  SessionOrder,
  SessionOutcome,
  SessionPage,
  SessionRequest,
  SessionRow,
  StopReason,
} from '@fleet/contracts/sessions';
import type { SessionFilter, SessionName } from '@fleet/ports';
import { progressOf, rowOf } from '@fleet/session-report';
import { aCycle, aNewSession, anEvent, anId, aRequest, useStores, type StorePorts } from '@fleet/testing';

const listing = (store: () => StorePorts): void => {
  const submit = async (proposal: string, beamline: string): Promise<string> => {
    const made = aNewSession({ request: aRequest({ proposal, beamline }) });
    await store().records.create(made, [], 1000);
    return made.id;
  };
  const listed = async (filter: SessionFilter): Promise<readonly string[]> =>
    idsOf(await store().index.list(filter, 100));

  it('lists the newest first, page after page, each session once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const id = `01jd00000000000000000000${String(10 + index)}`;
      ids.unshift(id);
      const request = aRequest({ title: `number ${String(index)}` });
      await store().records.create(aNewSession({ id, request }), [], 1000);
    }
    const first = await store().index.list({}, 3);
    expect(first.sessions[0]).toMatchObject({ title: 'number 6', proposal: 'mx1', beamline: 'i04', status: 'running' });
    const second = await store().index.list({}, 3, first.nextCursor);
    const third = await store().index.list({}, 3, second.nextCursor);
    expect([first, second, third].flatMap(idsOf)).toEqual(ids);
    expect(third.nextCursor).toBeUndefined();
  });

  it('lists by the time of creation, whatever the ids are', async () => {
    const ids = ['7zd00000000000000000000010', '01d00000000000000000000010', '3kd00000000000000000000010'];
    for (const [index, id] of ids.entries()) {
      const createdAt = new Date(Date.UTC(2026, 10, 21, 8, 0, 0, index)).toISOString();
      await store().records.create(aNewSession({ id, createdAt }), [], 1000);
    }
    const first = await store().index.list({}, 1);
    const second = await store().index.list({}, 1, first.nextCursor);
    const third = await store().index.list({}, 1, second.nextCursor);
    expect([first, second, third].flatMap(idsOf)).toEqual(ids.toReversed());
  });

  it('has no next page when the last one is exactly full', async () => {
    await submit('mx1', 'i04');
    await submit('mx1', 'i04');
    expect((await store().index.list({}, 2)).nextCursor).toBeUndefined();
  });

  it('filters by every combination of status, proposal and beamline', async () => {
    const first = await submit('mx1', 'i04');
    const second = await submit('mx1', 'i24');
    const third = await submit('mx2', 'i04');
    const ended = { reason: 'converged', detail: 'x', afterCycle: 1 } as const;
    await store().records.advance({ sessionId: second, fromVersion: 1, to: { ended }, events: [], dueInMs: 1 });
    await store().records.requestCancel(third, anEvent());
    const sorted = async (filter: SessionFilter): Promise<readonly string[]> => [...(await listed(filter))].sort();
    await expect(sorted({})).resolves.toEqual([first, second, third].sort());
    await expect(sorted({ proposal: 'mx1' })).resolves.toEqual([first, second].sort());
    await expect(sorted({ beamline: 'i04' })).resolves.toEqual([first, third].sort());
    await expect(listed({ status: 'running' })).resolves.toEqual([first]);
    await expect(listed({ status: 'completed', proposal: 'mx1', beamline: 'i24' })).resolves.toEqual([second]);
    await expect(listed({ status: 'cancelling', proposal: 'mx2' })).resolves.toEqual([third]);
    await expect(listed({ status: 'cancelled' })).resolves.toEqual([]);
    await expect(listed({ proposal: 'mx1', beamline: 'i03' })).resolves.toEqual([]);
  });

  it('leaves out sessions of other proposals and beamlines', async () => {
    const ids = [await submit('mx1', 'i04'), await submit('mx2', 'i03'), await submit('mx3', 'i04')];
    const within = [{ proposal: 'mx1' }, { beamline: 'i04' }];
    for (const order of ['-created', 'title'] as const)
      expect((await everyPage(store(), { within }, order, 1)).toSorted()).toEqual([ids[0], ids[2]].toSorted());
  });

  it('separates proposals whose names contain separators', async () => {
    const names = ['a:b', 'a', '*', 'a b', ''];
    const ids = [];
    for (const name of names) ids.push(await submit(name, 'b:*'));
    for (const [index, name] of names.entries())
      await expect(listed({ proposal: name })).resolves.toEqual([ids[index]]);
  });
};

/** Reads every page of a list. */
const everyPage = async (
  { index }: StorePorts,
  filter: SessionFilter,
  order: SessionOrder = '-created',
  limit = 2,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await index.list(filter, limit, cursor, order);
    ids.push(...idsOf(page));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids;
};

const idNumber = (number: number): string => `01jd000000000000000000${String(1000 + number)}`;
const minute = (number: number): string => new Date(Date.UTC(2026, 10, 21, 8, number)).toISOString();

const submitNumber =
  (store: () => StorePorts) =>
  async (number: number, request: Partial<SessionRequest> = {}): Promise<string> => {
    const id = idNumber(number);
    await store().records.create(aNewSession({ id, createdAt: minute(number), request: aRequest(request) }), [], 1000);
    return id;
  };

/** Ends a session like a decision; the move before reported the metrics. */
const endOf =
  (store: () => StorePorts) =>
  async (sessionId: string, reason: StopReason, quality?: SessionFit['quality']): Promise<void> => {
    const progress = quality && { fit: { metric: 'r_free', value: 0.2, quality } };
    const before = { sessionId, fromVersion: 1, events: [], dueInMs: 1 };
    const onward = { stage: 'deciding', cycle: 2, attempt: 1 } as const;
    await store().records.advance({ ...before, to: onward, ...(progress && { progress }) });
    const ended = { reason, detail: 'x', afterCycle: 1 };
    await store().records.advance({ ...before, fromVersion: 2, to: { ended } });
  };

const choosing = (store: () => StorePorts): void => {
  const submit = submitNumber(store);
  const end = endOf(store);

  it('filters by outcome, which a resumed session loses', async () => {
    const ids = [];
    for (let number = 0; number < 4; number += 1) ids.push(await submit(number));
    const [good = '', poor = '', lost = '', open = ''] = ids;
    await end(good, 'goal_reached', 'good');
    await end(poor, 'goal_reached', 'needs improvement');
    await end(lost, 'infrastructure');
    const found = (outcome: SessionOutcome): Promise<readonly string[]> => everyPage(store(), { outcome });
    await expect(found('solved')).resolves.toEqual([good]);
    await expect(found('goal_reached')).resolves.toEqual([poor]);
    await expect(found('failed_infrastructure')).resolves.toEqual([lost]);
    await expect(found('failed_science')).resolves.toEqual([]);
    await expect(store().index.count({ outcome: 'solved' })).resolves.toBe(1);
    await expect(store().index.count({ status: 'running' })).resolves.toBe(1);
    const to = { stage: 'deciding', cycle: 3, attempt: 1 } as const;
    await store().records.reopen({ sessionId: good, fromVersion: 3, to, events: [], dueInMs: 1 });
    await expect(found('solved')).resolves.toEqual([]);
    await expect(everyPage(store(), { status: 'running' })).resolves.toEqual([open, good]);
    const ended = { reason: 'cancelled', detail: 'x', afterCycle: 3 } as const;
    await store().records.advance({ sessionId: good, fromVersion: 4, to: { ended }, events: [], dueInMs: 1 });
    await expect(found('cancelled')).resolves.toEqual([good]);
    await expect(store().index.count({ outcome: 'solved' })).resolves.toBe(0);
  });

  it('lists a recovered session under its outcome', async () => {
    const position = { status: 'completed', stage: 'analysing', cycle: 1, attempt: 1, cycles: [] } as const;
    const made = aNewSession({ resume: { ...position, stop: { reason: 'converged', detail: 'x', afterCycle: 1 } } });
    await store().records.create(made, [], 1000);
    await expect(everyPage(store(), { outcome: 'solved' })).resolves.toEqual([made.id]);
  });

  it('filters by batch and by submitter, and counts', async () => {
    const one = await submit(1, { batch: 'b-1', submitter: 'Jo Müller: *' });
    const other = await submit(2, { batch: 'b-1', submitter: '' });
    const third = await submit(3, { submitter: 'Jo Müller: *' });
    await end(other, 'hopeless');
    await expect(everyPage(store(), { batch: 'b-1' })).resolves.toEqual([other, one]);
    await expect(everyPage(store(), { batch: 'b-2' })).resolves.toEqual([]);
    await expect(everyPage(store(), { submitter: 'Jo Müller: *' })).resolves.toEqual([third, one]);
    await expect(everyPage(store(), { submitter: 'Jo Müller: *', batch: 'b-1' })).resolves.toEqual([one]);
    await expect(store().index.count({ batch: 'b-1' })).resolves.toBe(2);
    await expect(store().index.count({ batch: 'b-1', outcome: 'failed_science' })).resolves.toBe(1);
    await expect(store().index.count({ batch: 'b-1', status: 'running' })).resolves.toBe(1);
    const [row] = (await store().index.list({ batch: 'b-1', outcome: 'failed_science' }, 1)).sessions;
    expect(row).toMatchObject({ id: other, batch: 'b-1', outcome: 'failed_science' });
  });
};

const ordering = (store: () => StorePorts): void => {
  const submit = submitNumber(store);

  it('lists from one time to another, in both directions', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 7; number += 1) ids.push(await submit(number));
    const since = Date.parse(minute(1));
    const until = Date.parse(minute(6));
    await expect(everyPage(store(), { since, until }, 'created')).resolves.toEqual(ids.slice(1, 6));
    await expect(everyPage(store(), { since, until })).resolves.toEqual(ids.slice(1, 6).reverse());
    await expect(everyPage(store(), { since })).resolves.toEqual(ids.slice(1).reverse());
    await expect(everyPage(store(), { until }, 'created')).resolves.toEqual(ids.slice(0, 6));
    await expect(everyPage(store(), { since, proposal: 'mx1' }, 'created')).resolves.toEqual(ids.slice(1));
    await expect(everyPage(store(), { since: until, until: since })).resolves.toEqual([]);
  });

  it('lists sessions whose title or id contains a text, in any case and order', async () => {
    const titles = ['a lyso 2', 'LYSO 10', 'Lyso', 'thaumatin', '100 %_x'];
    const ids: string[] = [];
    for (const [number, title] of titles.entries()) ids.push(await submit(number, { title }));
    const named = (...numbers: readonly number[]): readonly (string | undefined)[] =>
      numbers.map((number) => ids[number]);
    await expect(everyPage(store(), { text: 'lyso' })).resolves.toEqual(named(2, 1, 0));
    await expect(everyPage(store(), { text: 'lysO' }, 'title', 1)).resolves.toEqual(named(1, 2, 0));
    await expect(everyPage(store(), { text: idNumber(3).slice(3).toUpperCase() })).resolves.toEqual(named(3));
    await expect(everyPage(store(), { text: '%_' })).resolves.toEqual(named(4)); // no wildcards
  });
};

const at = '2026-11-21T08:00:00.000Z';
const progress = {
  program: 'phenix.refine',
  resolution: 1.23,
  spaceGroup: 'P 43 21 2',
  fit: { metric: 'r_free', value: 0.157, resolution: 1.23, rWork: 0.131, trend: 'better' },
} as const;
const ending = { reason: 'plateau', detail: 'x', afterCycle: 1 } as const;

const listed = async (store: StorePorts, id: string): Promise<SessionRow | undefined> =>
  (await store.index.list({}, 100)).sessions.find((row) => row.id === id);

const finding = (store: () => StorePorts): void => {
  const submit = async (id: string, title: string): Promise<string> => {
    await store().records.create(aNewSession({ id, request: aRequest({ title }) }), [], 1000);
    return id;
  };
  const found = async (name: SessionName): Promise<readonly string[]> =>
    (await store().index.find(name, 10)).map(({ id }) => id);

  it('finds sessions by the beginning of their id or by their whole title, the newest first', async () => {
    const one = await submit('01jd00000000000000000000aa', 'lysozyme');
    const other = await submit('01jd00000000000000000000ab', 'Größe "x"');
    const third = await submit('7zzz00000000000000000000aa', 'lysozyme');
    await expect(found({ title: 'lysozyme' })).resolves.toEqual([third, one].sort().reverse());
    await expect(found({ title: 'Größe "x"' })).resolves.toEqual([other]);
    await expect(found({ title: 'x', idBeginning: '01jd' })).resolves.toEqual([other, one]);
    await expect(found({ title: 'x', idBeginning: '7zzz' })).resolves.toEqual([third]);
    await expect(found({ title: 'lysozyme', idBeginning: '7zzz' })).resolves.toEqual([third, one]);
    await expect(store().index.find({ title: 'lysozyme' }, 1)).resolves.toMatchObject([{ title: 'lysozyme' }]);
  });

  it.each(['lyso', 'lysozyme2', 'LYSOZYME', 'i:01jd', '', '01jd', '\u00ff'])(
    'finds none by the title %j',
    async (title) => {
      await submit('01jd00000000000000000000aa', 'lysozyme');
      await expect(found({ title })).resolves.toEqual([]);
      await expect(found({ title, idBeginning: '01je' })).resolves.toEqual([]);
    },
  );

  it('lists why a session ended and its progress, according to the last move', async () => {
    const id = await submit('01jd00000000000000000000aa', 'one');
    expect(await listed(store(), id)).not.toHaveProperty('fit');
    const onward = { stage: 'deciding', cycle: 2, attempt: 1 } as const;
    await store().records.advance({ sessionId: id, fromVersion: 1, to: onward, progress, events: [], dueInMs: 1 });
    expect(await listed(store(), id)).toMatchObject(progress);
    expect(await listed(store(), id)).not.toHaveProperty('stopReason');
    await store().records.advance({ sessionId: id, fromVersion: 2, to: { ended: ending }, events: [], dueInMs: 1 });
    const { updatedAt } = (await store().records.loadHead(id))!;
    const ended = { status: 'completed', stopReason: 'plateau', endedAt: updatedAt };
    expect(await listed(store(), id)).toMatchObject({ ...ended, ...progress });
    await store().records.reopen({ sessionId: id, fromVersion: 3, to: onward, progress: {}, events: [], dueInMs: 1 });
    const reopened = await listed(store(), id);
    for (const member of ['stopReason', 'endedAt', 'fit', 'program']) expect(reopened).not.toHaveProperty(member);
  });

  it("lists a running session's cycles as in its record", async () => {
    const id = await submit('01jd00000000000000000000aa', 'one');
    const waiting = {
      attempt: 1,
      backend: 'local',
      provider: 'phenix',
      programVersion: '2.0',
      queuedOnBackend: false,
    } as const;
    const waits = { ...waiting, reason: 'launches are paused', since: at, reportedAt: at };
    const { result, ...running } = aCycle({ attempts: [], waiting: waits });
    const analysed = aCycle({ result: { ...result!, fit: progress.fit } });
    const moves = [
      { to: { stage: 'executing', cycle: 1, attempt: 1 }, cycleRecord: running },
      { to: { stage: 'deciding', cycle: 2, attempt: 1 }, cycleRecord: analysed },
      { to: { ended: ending }, cycleRecord: analysed },
    ] as const;
    const seen: (SessionRow | undefined)[] = [];
    for (const [index, move] of moves.entries()) {
      const { request } = (await store().records.load(id))!;
      const after = progressOf({ request, cycles: [move.cycleRecord] });
      const fence = { sessionId: id, fromVersion: index + 1 };
      await store().records.advance({ ...fence, ...move, progress: after, events: [], dueInMs: 1 });
      seen.push(await listed(store(), id));
      const record = rowOf((await store().records.load(id))!);
      expect(seen.at(-1)).toEqual(record);
    }
    expect(seen[0]).toMatchObject({ program: 'phenix.refine', waiting: 'launches are paused' });
    expect(seen[1]).toMatchObject({ program: 'phenix.refine', fit: progress.fit });
    expect(seen[1]).not.toHaveProperty('waiting');
  });

  it('lists a recovered session as in its record', async () => {
    const result = { ...aCycle().result!, fit: progress.fit };
    const position = { status: 'completed', stage: 'analysing', cycle: 1, attempt: 1 } as const;
    const made = aNewSession({ resume: { ...position, stop: ending, cycles: [aCycle({ result })] } });
    await store().records.create(made, [], 1000);
    const row = await listed(store(), made.id);
    expect(row).toMatchObject({ stopReason: 'plateau', fit: progress.fit, program: 'phenix.refine' });
    const record = rowOf((await store().records.load(made.id))!);
    expect(row).toEqual(record);
  });

  it('returns the rows of sessions by id', async () => {
    const one = aNewSession({ request: aRequest({ batch: 'b1' }) });
    await store().records.create(one, [], 1000);
    const found = await store().index.rows([anId(), one.id]);
    expect(found.map((row) => [row?.id, row?.batch])).toEqual([
      [undefined, undefined],
      [one.id, 'b1'],
    ]);
    await expect(store().index.rows([])).resolves.toEqual([]);
  });
};

const idsOf = (page: SessionPage): readonly string[] => page.sessions.map(({ id }) => id);

const newStore = useStores();
let store: StorePorts;
beforeEach(() => {
  store = newStore();
});
for (const tests of [listing, choosing, ordering, finding]) tests(() => store);
