import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aNewSession, anEvent, startPostgres, type PostgresServer } from '@fleet/testing';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '../database';
import { migrate } from '../migrate';
import { PostgresStore } from '../postgres-store';
import { DatabaseMetrics } from './database-metrics';
import { DatabaseCheckup } from './database.checkup';
import { DatabaseProbe } from './database.probe';

const durable = ['fsync=on', 'full_page_writes=on'];

describe('copies of a database', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  const ending = (server: PostgresServer): PostgresServer => {
    ends.push(() => server.stop());
    return server;
  };
  const connected = (url: string): Database => {
    const db = connectDatabase(url);
    ends.push(() => db.destroy());
    return db;
  };
  /** The URL of the same database on a copy of its server. */
  const on = (copy: PostgresServer, server: PostgresServer, url: string): Database =>
    connected(url.replace(encodeURIComponent(server.folder), encodeURIComponent(copy.folder)));

  const submit = async (db: Database, message: string): Promise<void> => {
    await new PostgresStore(db).records.create(aNewSession(), [anEvent({ message })], 1000);
  };
  const messagesIn = async (db: Database): Promise<readonly string[]> => {
    const { entries } = await new PostgresStore(db).feed.after('0', 100);
    return entries.flatMap(({ events }) => events.map(({ message }) => message));
  };

  it('are restored to a point in time, with exactly what was committed until then', async () => {
    const archive = mkdtempSync(join(tmpdir(), 'fleet-archive-'));
    chmodSync(archive, 0o777);
    ends.push(() => rm(archive, { recursive: true }));
    const server = ending(
      await startPostgres([...durable, 'archive_mode=on', `archive_command=cp %p ${join(archive, '%f')}`]),
    );
    const url = await server.newDatabase();
    const db = connected(url);
    await migrate(db);
    await submit(db, 'before the base backup');
    const base = await server.baseBackup();
    await submit(db, 'after it');
    await sql`SELECT pg_create_restore_point('good')`.execute(db);
    await submit(db, 'too late');
    await sql`DROP TABLE sessions CASCADE`.execute(db);
    const { rows } = await sql<{ file: string }>`SELECT pg_walfile_name(pg_switch_wal()) AS file`.execute(db);
    const isArchived = async (): Promise<boolean> => {
      const archiver = await sql<{ isThere: boolean }>`
        SELECT coalesce(last_archived_wal >= ${rows[0]!.file}, false) AS "isThere" FROM pg_stat_archiver`.execute(db);
      return archiver.rows[0]!.isThere;
    };
    while (!(await isArchived())) await sql`SELECT pg_sleep(0.05)`.execute(db);

    const restore = [`restore_command=cp ${join(archive, '%f')} %p`, 'recovery_target_name=good'];
    const restored = ending(await base.start('recovery', [...durable, ...restore, 'recovery_target_action=promote']));
    const copy = on(restored, server, url);
    const isReady = async (): Promise<boolean> => (await new DatabaseProbe(copy).check()).healthy;
    while (!(await isReady())) await sql`SELECT pg_sleep(0.05)`.execute(copy);
    await migrate(copy);
    await submit(copy, 'on the copy');
    expect(await messagesIn(copy)).toEqual(['before the base backup', 'after it', 'on the copy']);
  });

  it('follow as a standby, report their lag, and take over when the server is gone', async () => {
    const server = ending(await startPostgres([...durable, 'max_wal_size=32MB', 'wal_keep_size=128MB']));
    const url = await server.newDatabase();
    const db = connected(url);
    await migrate(db);
    await sql`CREATE ROLE plain LOGIN`.execute(db);
    const base = await server.baseBackup();
    const standby = ending(
      await base.start('standby', [...durable, `primary_conninfo=host=${server.folder} user=fleet`]),
    );
    const copy = on(standby, server, url);
    await expect(new DatabaseProbe(copy).check()).resolves.toMatchObject({
      healthy: false,
      detail: { writable: false, reason: 'DATABASE_URL leads to a standby, which takes no writes.' },
    });
    const finding = async (from: Database): Promise<{ readonly level?: string; readonly seen?: string }> =>
      (await new DatabaseCheckup(from).check()).find(({ check }) => check === 'database.replication') ?? {};
    const lag = async (): Promise<number | undefined> =>
      (await new DatabaseMetrics(db).read()).find(({ name }) => name === 'phenix_fleet_database_replication_lag_bytes')
        ?.value;
    while ((await lag()) !== 0) await sql`SELECT pg_sleep(0.05)`.execute(db);
    expect(await finding(db)).toMatchObject({
      level: 'ok',
      seen: 'Standbys connected: 1; the slowest is 0.00 GiB of log behind.',
    });
    expect(await finding(connected(url.replace('//fleet@', '//plain@')))).toMatchObject({
      level: 'ok',
      seen: 'Standbys connected: 1; how far they are is not visible to this user.',
    });

    await sql`SELECT pg_wal_replay_pause()`.execute(copy);
    await sql`CREATE TABLE filler AS SELECT repeat('x', 1000) AS x FROM generate_series(1, 40000)`.execute(db);
    await submit(db, 'not replayed yet');
    expect(await lag()).toBeGreaterThan(32 * 2 ** 20);
    expect(await finding(db)).toMatchObject({ level: 'warning' });

    await sql`SELECT pg_wal_replay_resume()`.execute(copy);
    while ((await lag()) !== 0) await sql`SELECT pg_sleep(0.05)`.execute(db);
    await server.stop();
    await sql`SELECT pg_promote()`.execute(copy);
    await expect(new DatabaseProbe(copy).check()).resolves.toMatchObject({ healthy: true });
    await submit(copy, 'on the new primary');
    expect(await messagesIn(copy)).toEqual(['not replayed yet', 'on the new primary']);
  });
});
