import type { Session, StoredEvent } from '@fleet/contracts';
import {
  aCycle,
  aNewSession,
  anEvent,
  archivingAtOnce,
  ManualClock,
  MemoryArchiveFolder,
  sessionStoreContract,
} from '@fleet/testing';
import { MemoryStore } from '../memory/memory-store';
import { ArchivedSessionEvents } from './archived-session-events';
import { ArchivedSessionRecords } from './archived-session-records';
import { SessionArchiver } from './session-archiver';

interface Archived {
  readonly store: MemoryStore;
  readonly folder: MemoryArchiveFolder;
  readonly records: ArchivedSessionRecords;
  readonly events: ArchivedSessionEvents;
}

const anArchivedStore = (clock: ManualClock): Archived => {
  const store = new MemoryStore(clock);
  const folder = new MemoryArchiveFolder();
  return {
    store,
    folder,
    records: new ArchivedSessionRecords(store.records, store.archive, folder),
    events: new ArchivedSessionEvents(store.events, store.archive, folder),
  };
};

sessionStoreContract('an archived MemoryStore', (clock) => {
  const { store, folder, records, events } = anArchivedStore(clock);
  const { archive, schedule, feed, index, catalogues, batches } = store;
  return Promise.resolve({
    store: {
      records: archivingAtOnce({ records, events, archive, folder }),
      events,
      schedule,
      feed,
      index,
      catalogues,
      batches,
    },
    close: () => Promise.resolve(),
  });
});

const DAY_MS = 86_400_000;
const stop = { reason: 'converged', detail: 'done', afterCycle: 1 } as const;
const clock = new ManualClock();
let under: Archived;
const failures: unknown[] = [];

const archiver = (): SessionArchiver =>
  new SessionArchiver({
    archive: under.store.archive,
    folder: under.folder,
    retentionMs: 7 * DAY_MS,
    onError: (_, error) => failures.push(error),
  });

const anEndedSession = async (): Promise<{ readonly session: Session; readonly events: readonly StoredEvent[] }> => {
  const made = aNewSession();
  const { records } = under.store;
  await records.create(made, [anEvent({ message: 'submitted' })], 1000);
  await records.advance({
    sessionId: made.id,
    fromVersion: 1,
    to: { ended: stop },
    cycleRecord: aCycle(),
    events: [anEvent({ message: 'ended' })],
    dueInMs: 1000,
  });
  const session = await records.load(made.id);
  if (session === undefined) throw new Error('the session was not made');
  return { session, events: await under.store.events.after(made.id, '0', 10) };
};

beforeEach(() => {
  under = anArchivedStore(clock);
  failures.length = 0;
});

describe('archiving sessions', () => {
  it('leaves those alone that ended within the retention, and those that run', async () => {
    await anEndedSession();
    await under.store.records.create(aNewSession(), [], 1000);
    clock.forward(7 * DAY_MS - 1);
    await expect(archiver().look()).resolves.toBe(0);
    clock.forward(1);
    await expect(archiver().look()).resolves.toBe(1);
    await expect(archiver().look()).resolves.toBe(0);
  });

  it('leaves a row, and everything else is read from the folder', async () => {
    const { session, events } = await anEndedSession();
    clock.forward(7 * DAY_MS);
    await archiver().look();
    await expect(under.store.records.load(session.id)).resolves.toBeUndefined();
    await expect(under.records.load(session.id)).resolves.toEqual(session);
    await expect(under.events.after(session.id, '0', 10)).resolves.toEqual(events);
    await expect(under.events.waitAfter(session.id, events[0]?.id ?? '', 1)).resolves.toEqual(events.slice(1));
    await expect(under.events.transitions(session.id)).resolves.toEqual(['2 1.1 deciding->ended:converged']);
    const page = await under.store.index.list({ status: 'completed' }, 10);
    expect(page.sessions).toMatchObject([{ id: session.id, title: session.request.title, stopReason: 'converged' }]);
  });

  it('puts a session back that goes on, with all that happened to it', async () => {
    const { session, events } = await anEndedSession();
    clock.forward(7 * DAY_MS);
    await archiver().look();
    const reopened = await under.records.reopen({
      sessionId: session.id,
      fromVersion: session.version,
      to: { stage: 'deciding', cycle: 2, attempt: 1 },
      events: [anEvent({ type: 'session_resumed' })],
      dueInMs: 1000,
    });
    expect(reopened).toMatchObject({ applied: true, head: { status: 'running', version: session.version + 1 } });
    await expect(under.store.records.load(session.id)).resolves.toMatchObject({ cycles: session.cycles });
    const now = await under.store.events.after(session.id, '0', 10);
    expect(now.slice(0, -1)).toEqual(events);
    expect(now.at(-1)).toMatchObject({ type: 'session_resumed' });
    clock.forward(8 * DAY_MS);
    await expect(archiver().look()).resolves.toBe(0);
  });

  it('deletes nothing of a session that was resumed while its files were written', async () => {
    const { session } = await anEndedSession();
    clock.forward(7 * DAY_MS);
    const keep = under.folder.keep.bind(under.folder);
    jest.spyOn(under.folder, 'keep').mockImplementation(async (whole) => {
      const to = { stage: 'deciding', cycle: 2, attempt: 1 } as const;
      await under.records.reopen({
        sessionId: session.id,
        fromVersion: session.version,
        to,
        events: [],
        dueInMs: 1000,
      });
      return keep(whole);
    });
    await expect(archiver().look()).resolves.toBe(0);
    await expect(under.store.records.load(session.id)).resolves.toMatchObject({ status: 'running', cycles: [{}] });
  });

  it('deletes nothing where the folder cannot be written, says so, and tries again later', async () => {
    const { session } = await anEndedSession();
    clock.forward(7 * DAY_MS);
    const full = new Error('ENOSPC');
    jest.spyOn(under.folder, 'keep').mockRejectedValueOnce(full);
    await expect(archiver().look()).resolves.toBe(0);
    expect(failures).toEqual([full]);
    await expect(under.store.records.load(session.id)).resolves.toEqual(session);
    clock.forward(600_000);
    await expect(archiver().look()).resolves.toBe(1);
  });

  it('says that the folder is gone, and answers for its status and in lists all the same', async () => {
    const { session } = await anEndedSession();
    clock.forward(7 * DAY_MS);
    await archiver().look();
    under.folder.lose(session.folder);
    await expect(under.records.load(session.id)).rejects.toMatchObject({ code: 'archive.missing' });
    await expect(under.events.after(session.id, '0', 10)).rejects.toMatchObject({ code: 'archive.missing' });
    await expect(under.records.loadHead(session.id)).resolves.toMatchObject({ status: 'completed' });
  });
});
