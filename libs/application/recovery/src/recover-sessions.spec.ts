import { Fault } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import type { Authenticity, ReadSession } from '@fleet/ports';
import { aCycle, aGuidance, aNewSession, aSession, ManualClock, useStores } from '@fleet/testing';
import { recoverSessions, type RecoveryDependencies } from './recover-sessions';

const newStore = useStores();

const clock = new ManualClock();

const readAs = (session: Session, authenticity: Authenticity, missingFiles: readonly string[] = []): ReadSession => ({
  session,
  authenticity,
  digest: `digest of ${session.id} v${String(session.version)}`,
  missingFiles,
});

const folderOf = (
  contents: readonly (Session | { folder: string; fault: Fault })[],
  authenticity: Authenticity = 'authentic',
): RecoveryDependencies['folders'] => ({
  listSessionFolders: () => Promise.resolve(contents.map(({ folder }) => folder)),
  readSession: (folder) => {
    const found = contents.find((one) => one.folder === folder);
    return found === undefined || 'fault' in found
      ? Promise.reject(found?.fault ?? new Error('unknown'))
      : Promise.resolve(readAs(found, authenticity));
  },
});

const damaged = (folder: string): { folder: string; fault: Fault } => ({
  folder,
  fault: new Fault('session_file.damaged', 'caller', 'not JSON at line 3'),
});

describe('recoverSessions', () => {
  it('restores the position and cycles of a running session, and wakes it', async () => {
    const store = newStore(clock);
    const cycles = [aCycle({ cycle: 1 }), aCycle({ cycle: 2 })];
    const session = aSession({ cycle: 3, version: 17, cycles, guidance: aGuidance({ revision: 4 }) });
    const report = await recoverSessions({ records: store.records, clock, folders: folderOf([session]) });
    expect(report).toEqual({
      recovered: [{ id: session.id, status: 'running', cycle: 3, trusted: false, missingFiles: [] }],
      existing: [],
      untrusted: [],
      skipped: [],
      notListed: 0,
    });
    await expect(store.records.load(session.id)).resolves.toEqual({
      ...session,
      version: 1,
      updatedAt: session.createdAt,
    });
    await expect(store.schedule.unacknowledged(0, 10)).resolves.toMatchObject([{ id: session.id }]);
    await expect(store.events.after(session.id, '0', 10)).resolves.toMatchObject([
      { type: 'session_recovered', cycle: 3 },
    ]);
  });

  it('restores an ended session as ended', async () => {
    const store = newStore(clock);
    const stop = { reason: 'converged', detail: 'done', afterCycle: 1 } as const;
    const session = aSession({ status: 'completed', stop, cycles: [aCycle()] });
    await recoverSessions({ records: store.records, clock, folders: folderOf([session]) });
    await expect(store.records.load(session.id)).resolves.toMatchObject({ status: 'completed', stop });
    await expect(store.schedule.unacknowledged(0, 10)).resolves.toEqual([]);
  });

  it('does not change sessions in the store, even when repeated', async () => {
    const store = newStore(clock);
    const made = aNewSession();
    await store.records.create(made, [], 1000);
    const before = await store.records.load(made.id);
    const file = aSession({ id: made.id, folder: made.folder, cycle: 5 });
    const other = aSession();
    const folders = folderOf([file, other]);
    const first = await recoverSessions({ records: store.records, clock, folders });
    expect(first).toMatchObject({ existing: [made.id], recovered: [{ id: other.id }] });
    await expect(recoverSessions({ records: store.records, clock, folders })).resolves.toMatchObject({
      existing: [made.id, other.id],
      recovered: [],
    });
    await expect(store.records.load(made.id)).resolves.toEqual(before);
  });

  it('reports a damaged file with its reason and recovers the others', async () => {
    const store = newStore(clock);
    const good = aSession();
    const report = await recoverSessions({
      records: store.records,
      clock,
      folders: folderOf([damaged('/work/mx1/bad'), good]),
    });
    expect(report.skipped).toEqual([
      { folder: '/work/mx1/bad', code: 'session_file.damaged', reason: 'not JSON at line 3' },
    ]);
    expect(report.recovered).toMatchObject([{ id: good.id }]);
  });

  it('does not report a file as damaged if the store is unreachable', async () => {
    const store = newStore(clock);
    const away = new Fault('store.unreachable', 'transient', 'away');
    const folders = folderOf([{ folder: '/work/mx1/x', fault: away }]);
    await expect(recoverSessions({ records: store.records, clock, folders })).rejects.toBe(away);
  });

  it('does not change a session in the store if its file is not authenticated, and needs no confirmation', async () => {
    const store = newStore(clock);
    const made = aNewSession();
    await store.records.create(made, [], 1000);
    const folders = folderOf([aSession({ id: made.id, folder: made.folder })], 'altered');
    const report = await recoverSessions({ records: store.records, clock, folders });
    expect(report).toMatchObject({ existing: [made.id], untrusted: [] });
  });

  it('lists at most 5000 skipped files, and counts the rest', async () => {
    const folders = folderOf(Array.from({ length: 5_003 }, (_, index) => damaged(`/work/mx1/${String(index)}`)));
    const report = await recoverSessions({ records: newStore(clock).records, clock, folders });
    expect([report.skipped.length, report.notListed]).toEqual([5_000, 3]);
  });
});
