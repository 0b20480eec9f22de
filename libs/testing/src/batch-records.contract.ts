import type { Batch } from '@fleet/contracts/batches';
import type { SessionStatus } from '@fleet/contracts/sessions';
import type { BatchRecords, ClaimedRows, NewRow, RowOutcome } from '@fleet/ports';
import { aNewSession, anEvent, anId, aRequest } from './builders';
import type { PortContract } from './store-ports';

/** A batch with defaults. */
const aBatch = (changes: Partial<Batch> = {}): Batch => ({
  id: anId(),
  title: 'fragments',
  proposal: 'mx1',
  submitter: 'eve',
  start: 'each',
  duplicates: 'submit',
  createdAt: '2026-11-21T08:00:00.000Z',
  ...changes,
});

/** Rows with these digests, from the second line on. */
const rows = (...names: readonly string[]): readonly NewRow[] =>
  names.map((name, index) => ({ digest: name, line: index + 2, content: { row: JSON.stringify({ title: name }) } }));

const unread: NewRow = { digest: 'bad', line: 9, content: { problem: { field: 'row', reason: 'is not a row' } } };
const claimMs = 10_000;
const many = 100;

/** The behavior of every BatchRecords. */
export const batchRecordsContract: PortContract = (store, clock) => {
  const batches = (): BatchRecords => store().batches;
  const made = async (changes: Partial<Batch> = {}, ...names: readonly string[]): Promise<Batch> => {
    const batch = aBatch(changes);
    await batches().create(batch);
    await batches().addRows(batch.id, rows(...names), many);
    return batch;
  };
  const settle = (id: string, row: number, outcome: RowOutcome, run = 0): Promise<number> =>
    batches().settle(id, [{ row, run, outcome }]);
  const claimed = async (limit = many): Promise<ClaimedRows> => {
    const taken = await batches().claim(limit, claimMs);
    if (taken === undefined) throw new Error('no row is due');
    return taken;
  };
  const numbers = (taken: ClaimedRows | undefined): readonly number[] | undefined => taken?.rows.map(({ row }) => row);
  const states = async (id: string): Promise<readonly string[]> =>
    (await batches().rows(id, 0, many)).map(({ row, state, run }) => `${String(row)} ${state} ${String(run)}`);

  it('creates a batch once, and lists the newest first', async () => {
    const first = aBatch({ createdAt: '2026-11-21T08:00:01.000Z', base: '/data', defaults: { title: '{x}' } });
    await expect(batches().create(first)).resolves.toBe('created');
    await expect(batches().create({ ...first, title: 'other' })).resolves.toBe('exists');
    const second = await made({ proposal: 'mx*', createdAt: '2026-11-21T08:00:02.000Z' });
    await expect(batches().load(first.id)).resolves.toEqual({
      batch: first,
      status: 'open',
      complete: false,
      rows: 0,
      states: { waiting: 0, checked: 0, accepted: 0, duplicate: 0, rejected: 0, cancelled: 0 },
      changedAt: clock.now(),
    });
    await expect(batches().load(anId())).resolves.toBeUndefined();
    const page = await batches().list({}, 1);
    expect(page.batches.map(({ batch }) => batch.id)).toEqual([second.id]);
    expect(page.nextCursor).toMatch(/^\d{15}:[0-9a-z]{26}$/);
    const rest = await batches().list({}, 5, page.nextCursor);
    expect([rest.batches.map(({ batch }) => batch.id), rest.nextCursor]).toEqual([[first.id], undefined]);
    const own = await batches().list({ proposal: 'mx*' }, 5);
    expect(own.batches.map(({ batch }) => batch.id)).toEqual([second.id]);
  });

  it('adds a row once, however often it is sent and with whichever others, up to the limit', async () => {
    const { id } = await made({}, 'a', 'b');
    await expect(batches().addRows(id, rows('b', 'c', 'c'), many)).resolves.toEqual({
      added: 1,
      known: 2,
      left: 0,
      rows: 3,
    });
    await expect(batches().addRows(id, [unread, ...rows('d', 'a')], 4)).resolves.toEqual({
      added: 1,
      known: 1,
      left: 1,
      rows: 4,
    });
    await expect(states(id)).resolves.toEqual(['1 waiting 0', '2 waiting 0', '3 waiting 0', '4 rejected 0']);
    await expect(batches().rows(id, 3, 5)).resolves.toEqual([
      {
        row: 4,
        digest: 'bad',
        line: 9,
        run: 0,
        state: 'rejected',
        problems: [{ field: 'row', reason: 'is not a row' }],
      },
    ]);
    await expect(batches().addRows(anId(), rows('a'), many)).resolves.toBeUndefined();
    await expect(batches().load(id)).resolves.toMatchObject({ rows: 4, states: { waiting: 3, rejected: 1 } });
  });

  it('assigns due rows to one caller, and again when the claim expires', async () => {
    const { id, ...batch } = await made({}, 'a', 'b', 'c');
    await batches().addRows(id, [unread], many);
    const first = await claimed(2);
    expect(first).toMatchObject({ batch: { id, ...batch }, status: 'open', starts: true });
    expect(first.rows[0]).toEqual({
      row: 1,
      digest: 'a',
      line: 2,
      run: 0,
      state: 'waiting',
      content: '{"title":"a"}',
    });
    expect(numbers(await claimed())).toEqual([3]);
    await expect(batches().claim(many, claimMs)).resolves.toBeUndefined();
    await expect(settle(id, 1, { state: 'accepted', session: 's1' })).resolves.toBe(1);
    await batches().putOff(id, [1, 2], 3 * claimMs);
    clock.forward(claimMs);
    expect(numbers(await claimed())).toEqual([3]);
    await batches().finish(id, [3]);
    clock.forward(2 * claimMs);
    expect(numbers(await claimed())).toEqual([2]);
  });

  it('serves the batches in turn', async () => {
    const one = await made({}, 'a', 'b', 'c');
    clock.forward(1);
    const other = await made({}, 'a', 'b');
    const turns: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      clock.forward(1);
      turns.push((await claimed(1)).batch.id);
    }
    expect([...turns].sort()).toEqual([one.id, one.id, other.id, other.id].sort());
    expect(turns[0]).not.toBe(turns[1]);
  });

  it('settles a row once in each run', async () => {
    const { id } = await made({}, 'a', 'b');
    await claimed();
    const problems = [{ field: 'files', reason: 'is missing' }];
    const outcome = { state: 'rejected', problems } as const;
    const accepted = { row: 1, run: 0, outcome: { state: 'accepted', session: 's' } } as const;
    const others = [
      { row: 1, run: 1, outcome },
      { row: 7, run: 0, outcome },
    ];
    await expect(batches().settle(id, [accepted, { row: 2, run: 0, outcome }, ...others])).resolves.toBe(2);
    await expect(batches().settle(id, [{ row: 1, run: 0, outcome }, ...others])).resolves.toBe(0);
    await expect(states(id)).resolves.toEqual(['1 accepted 0', '2 rejected 0']);
    clock.forward(2 * claimMs);
    await expect(batches().claim(many, claimMs)).resolves.toBeUndefined();
    const again = [
      { row: 1, run: 0 },
      { row: 2, run: 0 },
      { row: 2, run: 3 },
      { row: 9, run: 0 },
    ];
    await expect(batches().runAgain(id, again)).resolves.toBe(2);
    await expect(batches().runAgain(id, again)).resolves.toBe(0);
    await expect(states(id)).resolves.toEqual(['1 waiting 1', '2 waiting 1']);
    expect((await claimed()).rows[1]).toEqual({
      row: 2,
      digest: 'b',
      line: 3,
      run: 1,
      state: 'waiting',
      content: '{"title":"b"}',
    });
    await batches().addRows(id, [unread], many);
    await expect(batches().runAgain(id, [{ row: 3, run: 0 }])).resolves.toBe(0);
  });

  it('starts rows together as soon as all exist and are valid', async () => {
    const { id } = await made({ start: 'together' }, 'a', 'b');
    const taken = await claimed();
    expect(taken.starts).toBe(false);
    for (const row of [1, 2]) await settle(id, row, { state: 'checked' });
    await expect(batches().claim(many, claimMs)).resolves.toBeUndefined();
    await expect(batches().complete(id)).resolves.toBe(true);
    await expect(batches().complete(anId())).resolves.toBe(false);
    const starting = await claimed();
    expect([starting.starts, numbers(starting)]).toEqual([true, [1, 2]]);
    await settle(id, 1, { state: 'accepted', session: 's1' });
    await expect(batches().load(id)).resolves.toMatchObject({ complete: true, states: { accepted: 1, checked: 1 } });
  });

  it('starts none of them while one is rejected, and all once it is corrected', async () => {
    const { id } = await made({ start: 'together' }, 'a', 'b');
    await batches().complete(id);
    await claimed();
    await settle(id, 1, { state: 'checked' });
    await settle(id, 2, { state: 'rejected', problems: [] });
    await expect(batches().claim(many, claimMs)).resolves.toBeUndefined();
    await batches().runAgain(id, [{ row: 2, run: 0 }]);
    expect(numbers(await claimed())).toEqual([2]);
    await settle(id, 2, { state: 'checked' }, 1);
    const starting = await claimed();
    expect([starting.starts, numbers(starting)]).toEqual([true, [1, 2]]);
  });

  it('never starts rows of a dry run', async () => {
    const { id } = await made({ start: 'never' }, 'a');
    await batches().complete(id);
    expect((await claimed()).starts).toBe(false);
    await settle(id, 1, { state: 'checked' });
    clock.forward(2 * claimMs);
    await expect(batches().claim(many, claimMs)).resolves.toBeUndefined();
  });

  it('assigns no row of a paused batch, and continues where it was', async () => {
    const { id } = await made({}, 'a');
    await expect(batches().setStatus(id, 'paused')).resolves.toBe('paused');
    await batches().addRows(id, rows('b'), many);
    await expect(batches().claim(many, claimMs)).resolves.toBeUndefined();
    await expect(batches().setStatus(id, 'open')).resolves.toBe('open');
    expect(numbers(await claimed())).toEqual([1, 2]);
    await expect(batches().setStatus(anId(), 'open')).resolves.toBe('missing');
  });

  it('assigns a changed priority to rows claimed from then on, only for that batch', async () => {
    const { id } = await made({ defaults: { priority: 'standard' } }, 'a', 'b');
    const other = await made();
    const before = await claimed(1);
    expect(before.priority).toBeUndefined();
    await settle(id, 1, { state: 'accepted', session: 's1' });
    await expect(batches().setPriority(id, 'backfill')).resolves.toBe('set');
    await expect(batches().setPriority(id, 'live')).resolves.toBe('set');
    const { priority, batch, rows: taken } = await claimed();
    expect([priority, batch.defaults, taken.map(({ row }) => row)]).toEqual(['live', { priority: 'standard' }, [2]]);
    await expect(batches().load(id)).resolves.toMatchObject({ priority: 'live', states: { accepted: 1 } });
    await expect(states(id)).resolves.toEqual(['1 accepted 0', '2 waiting 0']);
    const { batches: listed } = await batches().list({}, many);
    expect(new Map(listed.map((state) => [state.batch.id, state.priority]))).toEqual(
      new Map([
        [id, 'live'],
        [other.id, undefined],
      ]),
    );
  });

  it('does not change the priority of a cancelled or missing batch', async () => {
    const { id } = await made({}, 'a');
    await batches().setStatus(id, 'cancelled');
    await expect(batches().setPriority(id, 'backfill')).resolves.toBe('cancelled');
    await expect(batches().setPriority(anId(), 'backfill')).resolves.toBe('missing');
    expect((await batches().load(id))?.priority).toBeUndefined();
  });

  it('stores the earlier session with the same data and the unused files, and runs a duplicate again on request', async () => {
    const { id } = await made({ duplicates: 'skip' }, 'a', 'b');
    const earlier = { session: anId(), same: 'everything' } as const;
    expect((await claimed()).batch.duplicates).toBe('skip');
    await expect(settle(id, 1, { state: 'duplicate', earlier })).resolves.toBe(1);
    const unused = [{ path: '/data/x2.mtz', used: false, text: 'x1.mtz is used' }];
    const accepted = { state: 'accepted', session: anId(), earlier: { ...earlier, same: 'data' }, unused } as const;
    await settle(id, 2, accepted);
    await expect(batches().rows(id, 0, many)).resolves.toMatchObject([{ state: 'duplicate', earlier }, accepted]);
    await expect(batches().load(id)).resolves.toMatchObject({ states: { waiting: 0, duplicate: 1, accepted: 1 } });
    await expect(settle(id, 1, { state: 'accepted', session: 's' })).resolves.toBe(0);
    await expect(batches().runAgain(id, [{ row: 1, run: 0 }])).resolves.toBe(1);
    await expect(states(id)).resolves.toEqual(['1 waiting 1', '2 accepted 0']);
  });

  it('lets one caller at a time start a session of the same content', async () => {
    const [one, other, digest] = [anId(), anId(), anId()];
    await expect(batches().holdContent(digest, one, 10_000)).resolves.toBe(true);
    await expect(batches().holdContent(digest, other, 10_000)).resolves.toBe(false);
    await expect(batches().holdContent(digest, one, 1)).resolves.toBe(true);
    await expect(batches().holdContent(anId(), other, 10_000)).resolves.toBe(true);
  });

  it('assigns every row of a cancelled batch once more, also one whose session was started meanwhile', async () => {
    const { id } = await made({}, 'a', 'b', 'c');
    await claimed();
    await settle(id, 1, { state: 'accepted', session: 's1' });
    await expect(batches().setStatus(id, 'cancelled')).resolves.toBe('cancelled');
    await expect(batches().setStatus(id, 'open')).resolves.toBe('cancelled');
    const taken = await claimed();
    expect([taken.status, numbers(taken)]).toEqual(['cancelled', [1, 2, 3]]);
    await batches().finish(id, [1]);
    for (const row of [2, 3]) await settle(id, row, { state: 'cancelled' });
    await expect(settle(id, 3, { state: 'accepted', session: 's3' })).resolves.toBe(1);
    expect((await claimed()).rows).toMatchObject([{ row: 3, state: 'accepted', session: 's3' }]);
    await expect(states(id)).resolves.toEqual(['1 accepted 0', '2 cancelled 0', '3 accepted 0']);
  });

  it('counts its sessions by current status', async () => {
    const { id } = await made();
    const session = aNewSession({ request: aRequest({ batch: id }) });
    const sessions = [
      session,
      aNewSession({ request: aRequest({ batch: id }) }),
      aNewSession({ request: aRequest({ batch: anId() }) }),
    ];
    for (const one of sessions) await store().records.create(one, [], 1000);
    const counts = async (): Promise<Partial<Record<SessionStatus, number>>> => batches().sessions(id);
    await expect(counts()).resolves.toEqual({
      running: 2,
      cancelling: 0,
      completed: 0,
      unsatisfactory: 0,
      failed: 0,
      cancelled: 0,
    });
    const ended = { reason: 'program_failed', detail: 'no way', afterCycle: 0 } as const;
    await store().records.advance({
      sessionId: session.id,
      fromVersion: 1,
      to: { ended },
      events: [anEvent()],
      dueInMs: 1,
    });
    await expect(counts()).resolves.toMatchObject({ running: 1, failed: 1 });
    await expect(batches().outcomes(id)).resolves.toMatchObject({ failed_science: 1, solved: 0 });
    await batches().addRows(id, rows('a'), many);
    await settle(id, 1, { state: 'accepted', session: session.id });
    await expect(batches().runAgain(id, [{ row: 1, run: 0 }])).resolves.toBe(1);
    await expect(counts()).resolves.toMatchObject({ running: 1, failed: 0 });
    await expect(batches().outcomes(id)).resolves.toMatchObject({ failed_science: 0 });
  });
};
