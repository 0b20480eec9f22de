import type { ProgramCatalogue } from '@fleet/contracts';
import type { SessionFilter, SessionName, SessionPage, SessionRow, SessionStore } from '@fleet/ports';
import { aNewSession, anEvent, anId, aRequest } from './builders';
import type { ManualClock } from './manual-clock';

type Get = () => SessionStore;

/** The reading half of the contract: lists, events, programs. */
export const sessionStoreReads = (store: Get, clock: ManualClock): void => {
  listing(store);
  finding(store);
  reading(store);
  waiting(store);

  it('gives back the programs of a backend as they were published', async () => {
    const at = new Date(clock.now()).toISOString();
    const catalogue: ProgramCatalogue = {
      backend: 'local',
      probedAt: at,
      programs: [
        { program: 'phenix.refine', provider: 'phenix', version: 'PHENIX 2.0', command: ['/opt/phenix.refine'] },
      ],
    };
    await expect(store().programs('local')).resolves.toBeUndefined();
    await store().publishPrograms(catalogue);
    await expect(store().programs('local')).resolves.toEqual(catalogue);
    await expect(store().programs('kubernetes')).resolves.toBeUndefined();
  });
};

const listing = (store: Get): void => {
  const submit = async (proposal: string, beamline: string): Promise<string> => {
    const made = aNewSession({ request: aRequest({ proposal, beamline }) });
    await store().create(made, [], 1000);
    return made.id;
  };
  const listed = async (filter: SessionFilter): Promise<readonly string[]> => idsOf(await store().list(filter, 100));

  it('lists the newest first, page after page, each session once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const id = `01jd00000000000000000000${String(10 + index)}`;
      ids.unshift(id);
      await store().create(aNewSession({ id, request: aRequest({ title: `number ${String(index)}` }) }), [], 1000);
    }
    const first = await store().list({}, 3);
    expect(first.sessions[0]).toMatchObject({ title: 'number 6', proposal: 'mx1', beamline: 'i04', status: 'running' });
    const second = await store().list({}, 3, first.nextCursor);
    const third = await store().list({}, 3, second.nextCursor);
    expect([first, second, third].flatMap(idsOf)).toEqual(ids);
    expect(third.nextCursor).toBeUndefined();
  });

  it('lists by the time of creation, whatever the ids are', async () => {
    const ids = ['7zd00000000000000000000010', '01d00000000000000000000010', '3kd00000000000000000000010'];
    for (const [index, id] of ids.entries()) {
      const createdAt = new Date(Date.UTC(2026, 10, 21, 8, 0, 0, index)).toISOString();
      await store().create(aNewSession({ id, createdAt }), [], 1000);
    }
    const first = await store().list({}, 1);
    const second = await store().list({}, 1, first.nextCursor);
    const third = await store().list({}, 1, second.nextCursor);
    expect([first, second, third].flatMap(idsOf)).toEqual([...ids].reverse());
    expect(third.nextCursor).toBeUndefined();
  });

  it('has no next page when the last one is exactly full', async () => {
    await submit('mx1', 'i04');
    await submit('mx1', 'i04');
    expect((await store().list({}, 2)).nextCursor).toBeUndefined();
  });

  it('filters by every combination of status, proposal and beamline', async () => {
    const first = await submit('mx1', 'i04');
    const second = await submit('mx1', 'i24');
    const third = await submit('mx2', 'i04');
    const ended = { reason: 'converged', detail: 'x', afterCycle: 1 } as const;
    await store().advance({ sessionId: second, fromVersion: 1, to: { ended }, events: [], dueInMs: 1 });
    await store().requestCancel(third, anEvent());
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

  it('keeps proposals apart whose names are made of separators', async () => {
    const names = ['a:b', 'a', '*', 'a b', ''];
    const ids = [];
    for (const name of names) ids.push(await submit(name, 'b:*'));
    for (const [index, name] of names.entries())
      await expect(listed({ proposal: name })).resolves.toEqual([ids[index]]);
  });
};

const fit = { metric: 'r_free', value: 0.157, resolution: 1.23 } as const;
const ending = { reason: 'plateau', detail: 'x', afterCycle: 1 } as const;

const rowOf = async (store: SessionStore, id: string): Promise<SessionRow | undefined> =>
  (await store.list({}, 100)).sessions.find((row) => row.id === id);

const finding = (store: Get): void => {
  const submit = async (id: string, title: string): Promise<string> => {
    await store().create(aNewSession({ id, request: aRequest({ title }) }), [], 1000);
    return id;
  };
  const found = async (name: SessionName): Promise<readonly string[]> =>
    (await store().find(name, 10)).map(({ id }) => id);

  it('finds sessions by the beginning of their id or by their whole title, the newest first', async () => {
    const one = await submit('01jd00000000000000000000aa', 'lysozyme');
    const other = await submit('01jd00000000000000000000ab', 'Größe "x"');
    const third = await submit('7zzz00000000000000000000aa', 'lysozyme');
    await expect(found({ title: 'lysozyme' })).resolves.toEqual([third, one].sort().reverse());
    await expect(found({ title: 'Größe "x"' })).resolves.toEqual([other]);
    await expect(found({ title: 'x', idBeginning: '01jd' })).resolves.toEqual([other, one]);
    await expect(found({ title: 'x', idBeginning: '7zzz' })).resolves.toEqual([third]);
    await expect(found({ title: 'lysozyme', idBeginning: '7zzz' })).resolves.toEqual([third, one]);
    await expect(store().find({ title: 'lysozyme' }, 1)).resolves.toMatchObject([{ title: 'lysozyme' }]);
  });

  it.each(['lyso', 'lysozyme2', 'LYSOZYME', 'i:01jd', '', '01jd', '\u00ff'])(
    'finds none by the title %j',
    async (title) => {
      await submit('01jd00000000000000000000aa', 'lysozyme');
      await expect(found({ title })).resolves.toEqual([]);
      await expect(found({ title, idBeginning: '01je' })).resolves.toEqual([]);
    },
  );

  it('lists why a session ended and how well its result fits', async () => {
    const id = await submit('01jd00000000000000000000aa', 'one');
    expect(await rowOf(store(), id)).not.toHaveProperty('fit');
    const onward = { stage: 'deciding', cycle: 2, attempt: 1 } as const;
    await store().advance({ sessionId: id, fromVersion: 1, to: onward, fit, events: [], dueInMs: 1 });
    expect(await rowOf(store(), id)).toMatchObject({ fit });
    expect(await rowOf(store(), id)).not.toHaveProperty('stopReason');
    await store().advance({ sessionId: id, fromVersion: 2, to: { ended: ending }, events: [], dueInMs: 1 });
    expect(await rowOf(store(), id)).toMatchObject({ status: 'completed', stopReason: 'plateau', fit });
    expect(await store().load(id)).not.toHaveProperty('fit');
    await store().reopen({ sessionId: id, fromVersion: 3, to: onward, events: [], dueInMs: 1 });
    expect(await rowOf(store(), id)).toMatchObject({ fit });
    expect(await rowOf(store(), id)).not.toHaveProperty('stopReason');
    await store().advance({
      sessionId: id,
      fromVersion: 4,
      to: { ended: ending },
      fit: 'none',
      events: [],
      dueInMs: 1,
    });
    expect(await rowOf(store(), id)).not.toHaveProperty('fit');
    const last = { ...ending, reason: 'cycles_removed' } as const;
    await store().reopen({ sessionId: id, fromVersion: 5, to: { ended: last }, fit, events: [], dueInMs: 1 });
    expect(await rowOf(store(), id)).toMatchObject({ stopReason: 'cycles_removed', fit });
  });

  it('lists the fit of a recovered session', async () => {
    const place = { status: 'completed', stage: 'analysing', cycle: 1, attempt: 1, cycles: [] } as const;
    const made = aNewSession({ resume: { ...place, stop: ending, fit } });
    await store().create(made, [], 1000);
    expect(await rowOf(store(), made.id)).toMatchObject({ stopReason: 'plateau', fit });
  });
};

const idsOf = (page: SessionPage): readonly string[] => page.sessions.map(({ id }) => id);

const reading = (store: Get): void => {
  it('gives the events after an id, oldest first, as many as asked', async () => {
    const made = aNewSession();
    const events = ['a', 'b', 'c', 'd'].map((message) =>
      anEvent({ message, data: { n: 1, deep: { x: [null, 'é'] } } }),
    );
    await store().create(made, events, 1000);
    const all = await store().events(made.id, '0', 100);
    expect(all).toEqual(events.map((event) => ({ ...event, id: expect.any(String) as string })));
    const two = await store().events(made.id, all[0]!.id, 2);
    expect(two).toEqual(all.slice(1, 3));
    await expect(store().events(made.id, all[3]!.id, 10)).resolves.toEqual([]);
  });

  it.each(['', 'x', '-1', '1-', '1-2-3', '$', '(0', '+'])('refuses %j as the id of an event', async (id) => {
    await expect(store().events(anId(), id, 10)).rejects.toMatchObject({ code: 'event.bad_id', kind: 'caller' });
    await expect(store().waitForEvents(anId(), id, 1)).rejects.toMatchObject({ code: 'event.bad_id' });
  });
};

const waiting = (store: Get): void => {
  it('gives events that are there at once', async () => {
    const made = aNewSession();
    await store().create(made, [anEvent({ message: 'first' })], 1000);
    await expect(store().waitForEvents(made.id, '0', 60_000)).resolves.toMatchObject([{ message: 'first' }]);
  });

  it('waits for the next event, for many readers at once', async () => {
    const made = aNewSession();
    await store().create(made, [anEvent()], 1000);
    const last = (await store().events(made.id, '0', 1))[0]!.id;
    const readers = [1, 2, 3].map(() => store().waitForEvents(made.id, last, 60_000));
    await new Promise((resolve) => setTimeout(resolve, 30));
    await store().requestCancel(made.id, anEvent({ message: 'news' }));
    for (const reader of readers) await expect(reader).resolves.toMatchObject([{ message: 'news' }]);
  });

  it('gives up when the time is over', async () => {
    const made = aNewSession();
    await store().create(made, [], 1000);
    await expect(store().waitForEvents(made.id, '0', 30)).resolves.toEqual([]);
  });
};
