import { aGuidance, aNewSession, anEvent, sessionStoreContract } from '@fleet/testing';
import { sql } from 'kysely';
import type { Database } from './database';
import { useDatabases } from './fixtures/databases';
import { migrate, migrations } from './migrate';
import { PostgresStore } from './postgres-store';

const databases = useDatabases();

sessionStoreContract('PostgresStore', async (clock) => {
  const { db } = await databases.context(clock);
  return { store: new PostgresStore(db, clock), close: () => Promise.resolve() };
});

describe('PostgresStore', () => {
  let db: Database;
  let store: PostgresStore;
  beforeEach(async () => {
    const context = await databases.context();
    ({ db } = context);
    store = new PostgresStore(db, context.clock);
  });

  const messagesAfter = async (place: string): Promise<{ readonly told: readonly string[]; readonly end: string }> => {
    const { entries, newest } = await store.feed.after(place, 1000);
    const messages = entries.flatMap(({ events }) => events.map(({ message }) => message));
    return { told: messages, end: entries.at(-1)?.id ?? newest };
  };

  it('reports no move while an earlier transaction may still write one', async () => {
    const slow = aNewSession();
    await store.records.create(slow, [anEvent({ message: 'a' })], 1000);
    const { end } = await messagesAfter('0');
    await db.transaction().execute(async (tx) => {
      const events = JSON.stringify([anEvent({ message: 'slow' })]);
      await tx.insertInto('moves').values({ session: slow.id, was: null, line: null, events, told: true }).execute();
      await store.records.create(aNewSession(), [anEvent({ message: 'quick' })], 1000);
      expect(await messagesAfter(end)).toEqual({ told: [], end });
    });
    expect((await messagesAfter(end)).told).toEqual(['slow', 'quick']);
  });

  it('reports each of many concurrent moves once to a reader', async () => {
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const made = aNewSession();
      await store.records.create(made, [anEvent({ message: `${String(writer)} 1` })], 1000);
      for (let version = 1; version < 15; version += 1) {
        const to = { stage: 'deciding', cycle: version + 1, attempt: 1 } as const;
        const events = [anEvent({ message: `${String(writer)} ${String(version + 1)}` })];
        await store.records.advance({ sessionId: made.id, fromVersion: version, to, events, dueInMs: 1 });
      }
    });
    const seen: string[] = [];
    let cursor = '0-0';
    const written = Promise.all(writers).then(() => true);
    for (let isOver = false; !isOver;) {
      isOver = await Promise.race([written, new Promise<false>((resolve) => setImmediate(resolve, false))]);
      const { told, end } = await messagesAfter(cursor);
      seen.push(...told);
      cursor = end;
    }
    expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
    for (const writer of [0, 7]) {
      const own = seen.filter((message) => message.startsWith(`${String(writer)} `));
      expect(own).toEqual(Array.from({ length: 15 }, (_, index) => `${String(writer)} ${String(index + 1)}`));
    }
  });

  it('stores texts that are not Unicode, and the order of object members', async () => {
    const data = { b: '\u0000 \ud800', a: 1e-7 };
    const made = aNewSession();
    await store.records.create(made, [anEvent({ data })], 1000);
    const [event] = await store.events.after(made.id, '0', 1);
    expect(JSON.stringify(event?.data)).toBe(JSON.stringify(data));
  });

  it('reports an unreachable store, and works again with all data when it is back', async () => {
    const made = aNewSession();
    await store.records.create(made, [anEvent()], 1000);
    const reading = async (): Promise<unknown> => {
      for (;;) await store.records.load(made.id);
    };
    const lost = expect(reading()).rejects.toMatchObject({ code: 'store.unreachable', kind: 'transient' });
    await databases.server.crash();
    await lost;
    await expect(store.records.load(made.id)).resolves.toMatchObject({ id: made.id, version: 1 });
  });

  describe('a move', () => {
    const to = { stage: 'executing', cycle: 1, attempt: 1 } as const;
    const created = async (): Promise<string> => {
      const made = aNewSession();
      await store.records.create(made, [], 1000);
      return made.id;
    };

    it('is based on the current session, not on what was read before another process changed it', async () => {
      const id = await created();
      await store.records.load(id);
      const other = new PostgresStore(db);
      const guidance = aGuidance({ revision: 2 });
      const from = { stage: 'deciding', cycle: 1, revision: 1 } as const;
      await expect(other.records.advise({ sessionId: id, from, guidance, events: [] })).resolves.toBe('applied');
      const move = { sessionId: id, to, events: [], dueInMs: 1000 };
      await expect(store.records.advance({ ...move, fromVersion: 1, guidance: 1 })).resolves.toMatchObject({
        reason: 'advised',
      });
      await expect(store.records.advance({ ...move, fromVersion: 1 })).resolves.toMatchObject({ applied: true });
      await expect(store.records.load(id)).resolves.toMatchObject({ version: 2, guidance: { revision: 2 } });
      await other.records.advance({ ...move, fromVersion: 2 });
      // This process last read version 2.
      await expect(store.records.advance({ ...move, fromVersion: 3 })).resolves.toMatchObject({ applied: true });
      other.close();
    });

    it('is made in one group with others, one of which the database rejects', async () => {
      const ids = await Promise.all(Array.from({ length: 12 }, created));
      const moved = await Promise.allSettled(
        ids.map((sessionId, index) => {
          const events = index === 7 ? [] : [anEvent()];
          const nextPosition = index === 7 ? { ...to, cycle: 2 ** 40 } : to;
          return store.records.advance({ sessionId, fromVersion: 1, to: nextPosition, events, dueInMs: 1000 });
        }),
      );
      expect(moved.map(({ status }) => status)).toEqual(
        ids.map((_, index) => (index === 7 ? 'rejected' : 'fulfilled')),
      );
      const versions = await Promise.all(ids.map(async (id) => (await store.records.load(id))?.version));
      expect(versions).toEqual(ids.map((_, index) => (index === 7 ? 1 : 2)));
    });

    it('still works when a later release adds a column to the table', async () => {
      const id = await created();
      await store.records.load(id);
      await sql`ALTER TABLE sessions ADD COLUMN added text`.execute(db);
      await expect(store.records.load(id)).resolves.toMatchObject({ version: 1 });
      const move = { sessionId: id, fromVersion: 1, to, events: [], dueInMs: 1000 };
      await expect(store.records.advance(move)).resolves.toMatchObject({ applied: true });
    });
  });

  it('reports a call that the database rejects as a bug, not as transient', async () => {
    await db.schema.dropTable('program_catalogues').execute();
    await expect(store.catalogues.of('local')).rejects.toMatchObject({ code: 'store.refused', kind: 'bug' });
  });

  it.each(['', 'x', 'bm90aGluZw', Buffer.from('["1"]').toString('base64url')])(
    'rejects %j as a cursor',
    async (cursor) => {
      const refused = { code: 'list.bad_cursor', kind: 'caller' };
      await expect(store.index.list({}, 1, cursor)).rejects.toMatchObject(refused);
      await expect(store.batches.list({}, 1, cursor)).rejects.toMatchObject(refused);
    },
  );
});

describe('migrate', () => {
  let db: Database;
  beforeEach(async () => {
    db = await databases.empty();
  });

  it('creates the schema once, however many processes begin at the same time', async () => {
    await Promise.all(Array.from({ length: 5 }, () => migrate(db)));
    await migrate(db);
    await expect(new PostgresStore(db).records.create(aNewSession(), [], 1000)).resolves.toBe('created');
  });

  it('reports the moves of a dump from a server with more transactions, in order, before any new one', async () => {
    await migrate(db);
    const store = new PostgresStore(db);
    const restored = ['first', 'second'].map((message) => anEvent({ message }));
    for (const event of restored) await store.records.create(aNewSession(), [event], 1000);
    await db
      .updateTable('moves')
      .set({ transaction: sql`'900000000000'` })
      .execute();
    await expect(store.feed.after('0', 10)).resolves.toMatchObject({ entries: [] });
    await migrate(db);
    await store.records.create(aNewSession(), [anEvent({ message: 'new' })], 1000);
    const { entries } = await store.feed.after('0', 10);
    expect(entries.flatMap(({ events }) => events.map(({ message }) => message))).toEqual(['first', 'second', 'new']);
  });

  const newest = Math.max(...migrations.map(({ number }) => number));
  const adding = { number: newest + 1, name: 'adding', text: 'CREATE TABLE added (id text)' };
  const next = [...migrations, adding];

  it('starts after a later release that only added, and rejects one that removed what it needs', async () => {
    await migrate(db, next);
    await expect(migrate(db)).resolves.toBeUndefined();
    const removing = { number: newest + 2, name: 'removing', text: 'SELECT 1', oldest: newest + 1 };
    await migrate(db, [...next, removing]);
    await expect(migrate(db, next)).resolves.toBeUndefined();
    await expect(migrate(db)).rejects.toMatchObject({ code: 'store.newer', kind: 'caller' });
  });

  it('rejects a database with the migrations of another product', async () => {
    await migrate(db);
    const other = migrations.map((one) => ({ ...one, name: `other ${one.name}` }));
    await expect(migrate(db, other)).rejects.toMatchObject({ code: 'store.newer', kind: 'caller' });
  });

  it('rolls back a migration that fails', async () => {
    const broken = { number: 1, name: 'sessions', text: 'CREATE TABLE half (id text); SELECT nonsense' };
    await expect(migrate(db, [broken])).rejects.toThrow(/nonsense/);
    await migrate(db);
    await expect(db.introspection.getTables()).resolves.not.toContainEqual(expect.objectContaining({ name: 'half' }));
  });
});
