import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startPostgres, startRedis, type PostgresServer } from '@fleet/testing';
import { Client } from 'pg';
import { GatewayGround } from './gateway-ground';
import type { IdleWork } from './idle-stages';
import { countOf, eventually, loopOver, movesIn, submit, trailOf, type Loop, type LoopDatabase } from './loop-harness';

const SESSIONS = 300;
const work: IdleWork = { cycles: 6, maxWorkMs: 60, stillRunning: 0.05, dueInMs: 2_000 };
/** All sessions together have made so many moves when a third of the work is done: none has ended. */
const THIRD = SESSIONS * work.cycles;

const durable = ['fsync=on', 'full_page_writes=on'];

describe(`${String(SESSIONS)} sessions in flight`, () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'fleet-in-flight-'));
    // PostgreSQL runs as another user where this one is root.
    chmodSync(made, 0o777);
    ends.push(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };

  const loopWith = async (database?: LoopDatabase): Promise<Loop> => {
    const loop = await loopOver(await startRedis(['--appendonly', 'no']), database);
    ends.push(() => loop.end());
    return loop;
  };

  /** A gateway in front of the loop. */
  const gatewayOf = async (loop: Loop): Promise<{ readonly port: number; readonly input: string }> => {
    const ground = new GatewayGround(loop.at);
    const port = await freePort();
    const gateway = ground.gateway(port);
    ends.push(async () => {
      gateway.child.kill('SIGKILL');
      await gateway.ended;
      ground.dispose();
    });
    await gateway.ready;
    return { port, input: ground.input };
  };

  /** Submits them and waits until all of them are amid their work. */
  const started = async (loop: Loop): Promise<readonly string[]> => {
    await loop.startAllHere(work);
    const ids = await submit(loop.store, SESSIONS);
    await eventually(
      () => movesIn(loop.store),
      (moves) => moves > THIRD,
    );
    await expect(countOf(loop.store, 'running')).resolves.toBe(SESSIONS);
    return ids;
  };

  /** None is lost, none took a transition twice. */
  const endAsUndisturbed = async (loop: Loop, ids: readonly string[]): Promise<void> => {
    await eventually(
      () => countOf(loop.store, 'running'),
      (running) => running === 0,
    );
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));
  };

  /** Responses to clients while the records cannot be read or written. */
  const isToldToWait = async (code: string, request: () => Promise<Response>): Promise<void> => {
    const refused = await eventually(request, ({ status }) => status === 503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code });
  };

  /** A server that is reached by a link, which leads to another one later, as the address of a facility's database does. */
  const behindLink = async (more: readonly string[]) => {
    const postgres = await startPostgres([...durable, ...more]);
    const link = join(folder(), 'current');
    symlinkSync(postgres.folder, link);
    const url = await postgres.newDatabase();
    const databaseUrl = url.replace(encodeURIComponent(postgres.folder), encodeURIComponent(link));
    const others: PostgresServer[] = [];
    ends.push(() => Promise.all(others.map((other) => other.stop())));
    const leadTo = (other: PostgresServer): void => {
      unlinkSync(link);
      symlinkSync(other.folder, link);
      others.push(other);
    };
    return { postgres, databaseUrl, url, leadTo };
  };

  const queryRow = async (url: string, statement: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows[0];
    } finally {
      await client.end();
    }
  };

  it('survive a Redis that is emptied', async () => {
    const loop = await loopWith();
    const ids = await started(loop);
    for (let round = 1; round <= 3; round += 1) {
      await loop.redis.flushall();
      await eventually(
        () => movesIn(loop.store),
        (moves) => moves > THIRD + round * SESSIONS,
      );
    }
    await endAsUndisturbed(loop, ids);
  });

  it('wait while PostgreSQL is down, and clients get an error', async () => {
    const loop = await loopWith();
    const { port } = await gatewayOf(loop);
    const ids = await started(loop);
    await loop.postgres.kill();
    await isToldToWait('store.unreachable', () => fetch(`http://127.0.0.1:${String(port)}/v1/sessions`));
    const health = await fetch(`http://127.0.0.1:${String(port)}/health/ready`);
    expect(health.status).toBe(503);
    await loop.postgres.restart();
    await endAsUndisturbed(loop, ids);
  });

  it('continue at a standby that is promoted', async () => {
    const { postgres, databaseUrl, url, leadTo } = await behindLink(['wal_keep_size=512MB']);
    const loop = await loopWith({ postgres, databaseUrl });
    const base = await postgres.baseBackup();
    const standby = await base.start('standby', [
      ...durable,
      `primary_conninfo=host=${postgres.folder} user=fleet application_name=standby`,
    ]);
    const ids = await started(loop);
    await postgres.kill();
    leadTo(standby);
    await queryRow(
      url.replace(encodeURIComponent(postgres.folder), encodeURIComponent(standby.folder)),
      'SELECT pg_promote()',
    );
    await endAsUndisturbed(loop, ids);
  });

  it('continue from a restored point in time', async () => {
    const archive = folder();
    const { postgres, databaseUrl, url, leadTo } = await behindLink([
      ...['archive_mode=on', `archive_command=cp %p ${join(archive, '%f')}`, 'archive_timeout=1'],
    ]);
    const loop = await loopWith({ postgres, databaseUrl });
    const base = await postgres.baseBackup();
    const ids = await started(loop);
    await queryRow(url, `SELECT pg_create_restore_point('good')`);
    await eventually(
      () => movesIn(loop.store),
      (moves) => moves > THIRD + SESSIONS,
    );
    const file = String((await queryRow(url, 'SELECT pg_walfile_name(pg_switch_wal()) AS file'))?.['file']);
    await eventually(
      () => queryRow(url, `SELECT last_archived_wal >= '${file}' AS "isArchived" FROM pg_stat_archiver`),
      (row) => row?.['isArchived'] === true,
    );
    await postgres.kill();
    const restored = await base.start('recovery', [
      ...durable,
      `restore_command=cp ${join(archive, '%f')} %p`,
      ...['recovery_target_name=good', 'recovery_target_action=promote'],
    ]);
    leadTo(restored);
    await endAsUndisturbed(loop, ids);
  });

  it('wait while the disk of the database is full, and clients get an error', async () => {
    if (process.getuid?.() !== 0) throw new Error('the full disk of a database: needs root, to mount a small disk');
    const disk = folder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', disk]);
    ends.push(() => execFileSync('umount', ['-l', disk]));
    const postgres = await startPostgres([...durable, 'max_wal_size=64MB', 'min_wal_size=32MB'], disk);
    const loop = await loopWith({ postgres, databaseUrl: await postgres.newDatabase() });
    const { port, input } = await gatewayOf(loop);
    const ids = await started(loop);
    const filler = join(disk, 'filler');
    expect(() => {
      for (;;) writeFileSync(filler, Buffer.alloc(2 ** 20), { flag: 'a' });
    }).toThrow('ENOSPC');
    const made = { proposal: 'mx1', title: 'disk', files: [input] };
    await isToldToWait('service.unavailable', () =>
      fetch(`http://127.0.0.1:${String(port)}/v1/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(made),
      }),
    );
    unlinkSync(filler);
    // PostgreSQL exits when it cannot write its log; its operator restarts it.
    await loop.postgres.crash();
    await endAsUndisturbed(loop, ids);
  });
});
