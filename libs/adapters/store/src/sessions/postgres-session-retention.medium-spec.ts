import type { SessionStop } from '@fleet/contracts/sessions';
import { aFile, aNewSession, anEvent, anId, aRequest, ManualClock } from '@fleet/testing';
import { useDatabases } from '../fixtures/databases';
import { PostgresStore } from '../postgres-store';

const databases = useDatabases();
const soon = 60_000;
const stop: SessionStop = { reason: 'converged', detail: 'solved', afterCycle: 1 };
const ended = { status: 'completed', stage: 'deciding', cycle: 1, attempt: 1, cycles: [], stop } as const;
const purge = { rule: 'solved: folder 1 day, record never', record: false };

describe('PostgresSessionRetention', () => {
  let store: PostgresStore;
  const clock = new ManualClock();
  beforeEach(async () => {
    store = new PostgresStore((await databases.context(clock)).db, clock);
  });
  afterEach(() => store.close());
  /** A session, ended by default. @param day of its end, in November 2026 */
  const made = async ({
    day = 1,
    running = false,
    ...request
  }: Partial<ReturnType<typeof aRequest>> & { day?: number; running?: boolean } = {}): Promise<string> => {
    const session = aNewSession({
      createdAt: `2026-11-0${String(day)}T00:00:00.000Z`,
      request: aRequest(request),
      ...(!running && { resume: ended }),
    });
    await store.records.create(session, [anEvent()], soon);
    return session.id;
  };
  const all = Date.parse('2026-12-01T00:00:00Z');

  it('knows which sessions use the files of a session, until those have lost their own folder', async () => {
    const id = await made();
    const path = `/work/mx1/${id}/cycle-1/model.pdb`;
    const user = await made({ inputs: [aFile({ path }), aFile()] });
    await expect(store.retention.find(id)).resolves.toMatchObject({ usedBy: [user], isBatchRunning: false });
    await expect(store.retention.find(user)).resolves.toMatchObject({ usedBy: [] });
    await expect(store.retention.begin(id, purge, false)).resolves.toBe(false);
    await expect(store.retention.begin(user, purge, false)).resolves.toBe(true);
    await store.retention.folderPurged(user, 10);
    await expect(store.retention.begin(id, purge, false)).resolves.toBe(true);
  });

  it('keeps files for running sessions only, if a deletion is ordered', async () => {
    const id = await made();
    const inputs = [aFile({ path: `/work/mx1/${id}/a.pdb` })];
    await made({ inputs });
    await store.retention.pin(id, { by: 'ada', reason: 'a paper' });
    await made({ inputs, running: true });
    await expect(store.retention.begin(id, purge, true)).resolves.toBe(false);
    const other = await made();
    await made({ inputs: [aFile({ path: `/work/mx1/${other}/a.pdb` })] });
    await store.retention.pin(other, { by: 'ada', reason: 'a paper' });
    await expect(store.retention.begin(other, purge, false)).resolves.toBe(false);
    await expect(store.retention.begin(other, purge, true)).resolves.toBe(true);
  });

  it("reports a session's batch as running while one of its sessions or rows is", async () => {
    const batch = 'b1';
    const id = await made({ batch });
    await expect(store.retention.find(id)).resolves.toMatchObject({ isBatchRunning: false });
    await made({ batch, running: true });
    await expect(store.retention.find(id)).resolves.toMatchObject({ isBatchRunning: true });
    await expect(store.retention.begin(id, purge, false)).resolves.toBe(false);
  });

  it('lists ended sessions by their end, page by page, with and without a folder', async () => {
    const ids = [await made({ day: 3 }), await made({ day: 1 }), await made({ day: 2 })];
    await made({ running: true });
    const first = await store.retention.ended('folder', all, 2);
    expect(first.sessions.map(({ session }) => session.id)).toEqual([ids[1], ids[2]]);
    const second = await store.retention.ended('folder', all, 2, first.nextCursor);
    expect(second.sessions.map(({ session }) => session.id)).toEqual([ids[0]]);
    expect(second.nextCursor).toBeUndefined();
    const early = await store.retention.ended('folder', Date.parse('2026-11-01T00:00:00Z'), 10);
    expect(early.sessions.map(({ session }) => session.id)).toEqual([ids[1]]);
    await store.retention.begin(ids[1]!, purge, false);
    await store.retention.folderPurged(ids[1]!, 7);
    const without = await store.retention.ended('record', all, 10);
    expect(without.sessions).toMatchObject([{ session: { id: ids[1] }, purged: { rule: purge.rule, bytes: 7 } }]);
    expect((await store.retention.ended('folder', all, 10)).sessions).toHaveLength(2);
  });

  it('pins a session, and returns the pin that is removed', async () => {
    const id = await made();
    await expect(store.retention.pin(id, { by: 'ada', reason: 'a paper' })).resolves.toBe('pinned');
    const { pin } = (await store.retention.find(id))!;
    expect(pin).toMatchObject({ by: 'ada', reason: 'a paper' });
    await expect(store.retention.begin(id, purge, false)).resolves.toBe(false);
    await expect(store.retention.unpin(id)).resolves.toEqual(pin);
    await expect(store.retention.unpin(id)).resolves.toBeUndefined();
    await expect(store.retention.begin(id, purge, false)).resolves.toBe(true);
    await expect(store.retention.pin(id, { by: 'ada', reason: 'late' })).resolves.toBe('purged');
    await expect(store.retention.pin(anId(), { by: 'ada', reason: 'none' })).resolves.toBe('missing');
  });

  it('prevents a session in deletion from continuing', async () => {
    const id = await made();
    await store.retention.begin(id, purge, false);
    await expect(store.retention.begin(id, purge, false)).resolves.toBe(false);
    const to = { stage: 'deciding', cycle: 2, attempt: 1 } as const;
    const reopening = { sessionId: id, fromVersion: 1, to, events: [], dueInMs: soon };
    await expect(store.records.reopen(reopening)).resolves.toEqual({ applied: false, reason: 'purged' });
    await store.retention.folderPurged(id, 1);
    await expect(store.records.reopen(reopening)).resolves.toEqual({ applied: false, reason: 'purged' });
  });

  it('passes an unfinished deletion to one other worker, after a while', async () => {
    const [id, running] = [await made(), await made({ running: true })];
    await expect(store.retention.begin(running, purge, true)).resolves.toBe(false);
    await store.retention.begin(id, { ...purge, record: true }, false);
    await expect(store.retention.claimUnfinished(soon, 10)).resolves.toEqual([]);
    clock.forward(soon);
    const claimed = await Promise.all([1, 2].map(() => store.retention.claimUnfinished(soon, 10)));
    expect(claimed.flat()).toMatchObject([{ session: { id }, rule: purge.rule, record: true }]);
    await store.retention.remove(id);
    clock.forward(soon);
    await expect(store.retention.claimUnfinished(soon, 10)).resolves.toEqual([]);
  });

  it('deletes the record of a session whose deletion has begun, and keeps only its id', async () => {
    const id = await made();
    await store.retention.remove(id);
    await expect(store.records.load(id)).resolves.toBeDefined();
    await store.retention.begin(id, { ...purge, record: true }, false);
    await store.retention.remove(id);
    await expect(store.records.load(id)).resolves.toBeUndefined();
    await expect(store.events.transitions(id)).resolves.toEqual([]);
    await expect(store.retention.wasRemoved(id)).resolves.toBe(true);
    await expect(store.retention.wasRemoved(anId())).resolves.toBe(false);
  });

  it('finds all sessions of a proposal, or of a submitter', async () => {
    const ids = [
      await made({ proposal: 'mx2', submitter: 'ada' }),
      await made({ proposal: 'mx2', submitter: 'bob' }),
    ].sort();
    await made({ proposal: 'mx3', submitter: 'eve' });
    const first = await store.retention.ofOwner({ proposal: 'mx2' }, 1);
    const second = await store.retention.ofOwner({ proposal: 'mx2' }, 1, first.nextCursor);
    expect([first, second].flatMap(({ sessions }) => sessions.map(({ session }) => session.id))).toEqual(ids);
    expect(second.nextCursor).toBeUndefined();
    expect((await store.retention.ofOwner({ submitter: 'eve' }, 9)).sessions).toHaveLength(1);
  });
});
