import { Fault, type Session } from '@fleet/contracts';
import { MemorySessionStore } from '@fleet/session-store';
import { aCycle, aNewSession, aSession, ManualClock } from '@fleet/testing';
import { recoverSessions, type RecoveryDependencies } from './recover-sessions';

const clock = new ManualClock();

const folderOf = (
  contents: readonly (Session | { folder: string; fault: Fault })[],
): RecoveryDependencies['folders'] => ({
  listSessionFolders: () => Promise.resolve(contents.map(({ folder }) => folder)),
  readSession: (folder) => {
    const found = contents.find((one) => one.folder === folder);
    return found === undefined || 'fault' in found
      ? Promise.reject(found?.fault ?? new Error('unknown'))
      : Promise.resolve(found);
  },
});

const damaged = (folder: string): { folder: string; fault: Fault } => ({
  folder,
  fault: new Fault('session_file.damaged', 'caller', 'not JSON at line 3'),
});

describe('recoverSessions', () => {
  it('puts a running session back where it was, with its cycles, and wakes it', async () => {
    const store = new MemorySessionStore(clock);
    const session = aSession({ cycle: 3, version: 17, cycles: [aCycle({ cycle: 1 }), aCycle({ cycle: 2 })] });
    const report = await recoverSessions({ store, clock, folders: folderOf([session]) });
    expect(report).toEqual({ recovered: [{ id: session.id, status: 'running', cycle: 3 }], existing: [], damaged: [] });
    await expect(store.load(session.id)).resolves.toEqual({ ...session, version: 1, updatedAt: session.createdAt });
    await expect(store.unacknowledged(0, 10)).resolves.toMatchObject([{ id: session.id }]);
    await expect(store.events(session.id, '0', 10)).resolves.toMatchObject([{ type: 'session_recovered', cycle: 3 }]);
  });

  it('keeps an ended session ended', async () => {
    const store = new MemorySessionStore(clock);
    const stop = { reason: 'converged', detail: 'done', afterCycle: 1 } as const;
    const session = aSession({ status: 'completed', stop, cycles: [aCycle()] });
    await recoverSessions({ store, clock, folders: folderOf([session]) });
    await expect(store.load(session.id)).resolves.toMatchObject({ status: 'completed', stop });
    await expect(store.unacknowledged(0, 10)).resolves.toEqual([]);
  });

  it('leaves sessions alone that the store has, also when it is repeated', async () => {
    const store = new MemorySessionStore(clock);
    const made = aNewSession();
    await store.create(made, [], 1000);
    const before = await store.load(made.id);
    const file = aSession({ id: made.id, folder: made.folder, cycle: 5 });
    const other = aSession();
    const folders = folderOf([file, other]);
    const first = await recoverSessions({ store, clock, folders });
    expect(first).toMatchObject({ existing: [made.id], recovered: [{ id: other.id }] });
    await expect(recoverSessions({ store, clock, folders })).resolves.toMatchObject({
      existing: [made.id, other.id],
      recovered: [],
    });
    await expect(store.load(made.id)).resolves.toEqual(before);
  });

  it('names a damaged file with its reason and recovers the others', async () => {
    const store = new MemorySessionStore(clock);
    const good = aSession();
    const report = await recoverSessions({ store, clock, folders: folderOf([damaged('/work/mx1/bad'), good]) });
    expect(report.damaged).toEqual([{ folder: '/work/mx1/bad', reason: 'not JSON at line 3' }]);
    expect(report.recovered).toMatchObject([{ id: good.id }]);
  });

  it('does not call a file damaged because the store is away', async () => {
    const store = new MemorySessionStore(clock);
    const away = new Fault('store.unreachable', 'transient', 'away');
    const folders = folderOf([{ folder: '/work/mx1/x', fault: away }]);
    await expect(recoverSessions({ store, clock, folders })).rejects.toBe(away);
  });
});
