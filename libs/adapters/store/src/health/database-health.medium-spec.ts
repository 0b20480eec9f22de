import type { Finding } from '@fleet/contracts/administration';
import { startPostgres, type PostgresServer } from '@fleet/testing';
import { sql } from 'kysely';
import { Client } from 'pg';
import { connectDatabase, type Database } from '../database';
import { migrate } from '../migrate';
import { DatabaseMetrics } from './database-metrics';
import { DatabaseCheckup } from './database.checkup';
import { DatabaseProbe } from './database.probe';
import { assertDurableDatabase } from './durable-database';

describe('the health of a database', () => {
  let server: PostgresServer;
  let url: string;
  let db: Database;
  const open: { destroy(): Promise<void> }[] = [];
  const start = async (settings: readonly string[]): Promise<void> => {
    server = await startPostgres(settings);
    url = await server.newDatabase();
    db = connected(url);
    await migrate(db);
  };
  const connected = (to: string): Database => {
    const one = connectDatabase(to);
    open.push(one);
    return one;
  };
  const client = async (): Promise<Client> => {
    const one = new Client({ connectionString: url });
    one.on('error', () => undefined);
    await one.connect();
    open.push({ destroy: () => one.end() });
    return one;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.destroy()));
    await server.stop();
  });

  const found = async (checkup = new DatabaseCheckup(db)): Promise<ReadonlyMap<string, Finding>> =>
    new Map((await checkup.check()).map((one) => [one.check.replace('database.', ''), one]));
  const figures = async (): Promise<ReadonlyMap<string, number>> =>
    new Map(
      (await new DatabaseMetrics(db).read()).map(({ name, value }) => [
        name.replace('phenix_fleet_database_', ''),
        value,
      ]),
    );

  it('has no problem with a correct configuration, also for a user without privileges', async () => {
    await start([]);
    await sql`CREATE ROLE plain LOGIN`.execute(db);
    const plain = connected(url.replace('//fleet@', '//plain@'));
    const all = await found(new DatabaseCheckup(plain, 'localhost'));
    expect([...all.keys()].sort()).toEqual([
      'archiving',
      'bloat',
      'clock',
      'connections',
      'durability',
      'latency',
      'name',
      'readers',
      'replication',
      'size',
      'synchronous_commit',
      'transactions',
      'version',
      'writable',
    ]);
    // A busy machine responds late.
    const wrong = [...all.values()].filter(({ check, level }) => level !== 'ok' && !/latency|name/.test(check));
    expect(wrong).toEqual([]);
    expect(all.get('transactions')?.seen).toMatch(/Those of \d+ connections of other users are not visible\.$/);
    await expect(new DatabaseProbe(plain).check()).resolves.toMatchObject({
      healthy: true,
      detail: { durable: true, writable: true },
    });
    await expect(assertDurableDatabase(plain)).resolves.toBeUndefined();
    expect((await figures()).get('durable')).toBe(1);
    expect((await figures()).has('archiving_ok')).toBe(false);
    expect((await figures()).has('replication_lag_bytes')).toBe(false);
    expect((await found(new DatabaseCheckup(db, 'no-such-host.invalid'))).get('name')).toMatchObject({
      level: 'error',
      seen: expect.stringMatching(/^no-such-host\.invalid is not found/) as unknown,
    });
  });

  it('rejects a server that may lose confirmed writes', async () => {
    await start(['fsync=off', 'synchronous_commit=off']);
    await expect(assertDurableDatabase(db)).rejects.toMatchObject({ code: 'store.not_durable', kind: 'caller' });
    await expect(assertDurableDatabase(db)).rejects.toThrow(/fsync is off.*ALTER SYSTEM SET fsync = on/);
    const all = await found();
    expect(all.get('durability')).toMatchObject({ level: 'error', seen: 'fsync is off, full_page_writes is on.' });
    expect(all.get('synchronous_commit')).toMatchObject({ level: 'warning' });
    await expect(new DatabaseProbe(db).check()).resolves.toMatchObject({ healthy: false, detail: { durable: false } });
    expect((await figures()).get('durable')).toBe(0);
  });

  it('reports a transaction that stays open, and dead rows that are not vacuumed', async () => {
    await start(['autovacuum=off']);
    const strict = new DatabaseCheckup(db, undefined, 0);
    expect((await found(strict)).get('transactions')).toMatchObject({
      level: 'ok',
      seen: 'No other transaction is open.',
    });
    const other = await client();
    await other.query('BEGIN');
    expect((await found(strict)).get('transactions')).toMatchObject({ level: 'warning' });
    expect((await found()).get('transactions')).toMatchObject({ level: 'ok' });
    expect((await figures()).get('oldest_transaction_seconds')).toBeGreaterThan(0);
    await other.query('COMMIT');

    await other.query('CREATE TABLE bloated AS SELECT generate_series(1, 20000) AS n');
    await other.query('DELETE FROM bloated WHERE n > 100');
    await other.query('SELECT pg_stat_force_next_flush()');
    await other.query('SELECT 1');
    expect((await found()).get('bloat')).toMatchObject({
      level: 'warning',
      seen: 'bloated: 19900 dead rows, 100 live ones.',
    });
  });

  it('compares connections with their limit', async () => {
    await start(['max_connections=13', 'superuser_reserved_connections=3', 'max_wal_senders=0']);
    const level = async (): Promise<unknown> => (await found()).get('connections')?.level;
    await expect(level()).resolves.toBe('ok');
    for (let more = 0; more < 7; more += 1) await client();
    await expect(level()).resolves.toBe('warning');
    for (let more = 0; more < 2; more += 1) await client();
    await expect(level()).resolves.toBe('error');
    expect((await figures()).get('connections_limit')).toBe(10);
    expect((await figures()).get('connections')).toBe(10);
  });

  it('reports that the log cannot be archived, until it can', async () => {
    await start(['archive_mode=on']);
    await sql`ALTER SYSTEM SET archive_command = 'false'`.execute(db);
    await sql`SELECT pg_reload_conf()`.execute(db);
    // The archiver runs when a log file is full, and pauses after a failure.
    const until = async (level: string): Promise<ReadonlyMap<string, Finding>> => {
      for (;;) {
        await sql`SELECT pg_current_xact_id(), pg_switch_wal()`.execute(db);
        const all = await found();
        if (all.get('archiving')?.level === level) return all;
        await sql`SELECT pg_sleep(0.1)`.execute(db);
      }
    };
    expect((await until('error')).get('archiving')?.seen).toMatch(/^[0-9A-F]{24} could not be archived\.$/);
    expect((await figures()).get('archiving_ok')).toBe(0);
    await sql`ALTER SYSTEM SET archive_command = 'true'`.execute(db);
    await sql`SELECT pg_reload_conf()`.execute(db);
    await until('ok');
    expect((await figures()).get('archiving_ok')).toBe(1);
  });

  it('is unhealthy while the server is read-only or unreachable', async () => {
    await start([]);
    await sql`ALTER ROLE fleet SET default_transaction_read_only = on`.execute(db);
    const reader = connected(url);
    await expect(new DatabaseProbe(reader).check()).resolves.toMatchObject({
      healthy: false,
      detail: { writable: false, reason: 'The database is read-only.' },
    });
    expect((await found(new DatabaseCheckup(reader))).get('writable')).toMatchObject({ level: 'error' });
    await server.stop();
    await expect(new DatabaseProbe(reader).check()).resolves.toMatchObject({ healthy: false });
    await expect(assertDurableDatabase(reader)).rejects.toMatchObject({ code: 'store.unreachable' });
  });
});
