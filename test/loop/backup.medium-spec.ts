import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { IdleWork } from './idle-stages';
import { runBackup } from '../../apps/backup/src/run-backup';
import { allEnded, countOf, moreMoves, startLoop, submit, trailOf, type Loop } from './loop-harness';

const root = resolve(__dirname, '../..');
const work: IdleWork = { cycles: 8, maxWorkMs: 40, stillRunning: 0, dueInMs: 1_500 };

interface Ran {
  readonly code: number;
  readonly said: string;
}

describe('a backup', () => {
  let loop: Loop;
  let folder: string;
  let file: string;
  beforeEach(async () => {
    loop = await startLoop();
    folder = await mkdtemp(join(tmpdir(), 'fleet-backup-'));
    file = join(folder, 'fleet.backup');
  });
  afterEach(async () => {
    await loop.end();
    await rm(folder, { recursive: true });
  });

  const backup = (...args: readonly string[]): Promise<Ran> => backupOf(loop.server.url, ...args);
  const envOf = (url: string) => ({ REDIS_URL: url, REDIS_KEY_PREFIX: 'loop' });
  const backupOf = async (url: string, ...args: readonly string[]): Promise<Ran> => {
    let said = '';
    const write = (text: string): void => void (said += text);
    const code = await runBackup(args, envOf(url), { out: write, err: write });
    return { code, said };
  };
  /** The command, as a process of its own. */
  const backupProcess = async (...args: readonly string[]): Promise<string> => {
    const script = join(root, 'apps/backup/src/main.ts');
    const line = ['--import', join(root, 'test/support/typescript.mjs'), script, ...args];
    const env = { PATH: process.env['PATH'], ...envOf(loop.server.url) };
    return (await promisify(execFile)(process.execPath, line, { cwd: root, env })).stdout;
  };

  it('of sessions under way, restored into an emptied Redis, lets each end as it would have', async () => {
    await loop.startAllHere(work);
    const ids = await submit(loop.store, 15);
    // A sixth of all moves: some sessions are in the middle of it. A backup beside writers: redis-backup.medium-spec.ts.
    await moreMoves(loop.store, 60);
    await loop.stopHere();
    expect(await backupProcess('save', file)).toMatch(/: 15 sessions, \d+ keys, SHA-256 [0-9a-f]{64}\n/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    await loop.redis.flushall();
    expect(await backup('restore', file)).toMatchObject({
      code: 0,
      said: expect.stringContaining('15 sessions') as string,
    });
    const verified = await backup('verify', file);
    expect([verified.code, verified.said]).toEqual([0, expect.stringContaining('is whole')]);

    await loop.startAllHere(work);
    await allEnded(loop.store, ids.length);
    for (const id of ids) await expect(loop.store.events.transitions(id)).resolves.toEqual(trailOf(work.cycles));
    const after = await backup('verify', file);
    expect([after.code, after.said]).toEqual([3, expect.stringMatching(/in Redis alone: \d+ .*\ndifferent: \d+ \(/)]);
  });

  it('keeps every kind of key, whatever is in it, and no more than what is of the installation', async () => {
    const { redis } = loop;
    const bytes = Buffer.from([0, 255, 10, 34, 128]);
    await redis.set('loop:launches', bytes, 'PX', 3_600_000);
    await redis.hset('loop:hooks', { 'a\nb': bytes, plain: 'text' });
    await redis.sadd('loop:i:set', bytes, 'x');
    await redis.zadd('loop:due', 1.5, 'half', '-inf', 'first', 1763892000000, 'time');
    await redis.rpush('loop:list', 'b', 'a', 'b');
    for (let entry = 1; entry <= 3; entry += 1) await redis.xadd('loop:feed', `${String(entry)}-1`, 'f', bytes);
    await redis.xdel('loop:feed', '3-1');
    await redis.xadd('loop:e:empty', '7-7', 'f', 'v');
    await redis.xdel('loop:e:empty', '7-7');
    await redis.set('loop:bq:meta', 'of the queues');
    await redis.set('looper:launches', 'of another installation');
    expect(await backup('save', file)).toMatchObject({
      code: 0,
      said: expect.stringContaining('0 sessions, 7 keys') as string,
    });
    await redis.flushall();
    expect((await backup('restore', file)).code).toBe(0);
    expect((await redis.keys('*')).sort()).toEqual(
      ['loop:due', 'loop:e:empty', 'loop:feed', 'loop:hooks', 'loop:i:set', 'loop:launches', 'loop:list'].sort(),
    );
    expect(await redis.getBuffer('loop:launches')).toEqual(bytes);
    expect(await redis.pttl('loop:launches')).toBeGreaterThan(3_000_000);
    expect(await redis.zrange('loop:due', '0', '-1')).toEqual(['first', 'half', 'time']);
    // Readers go on from where they were: no id is given twice.
    expect(await redis.xadd('loop:feed', '3-*', 'f', 'v')).toBe('3-2');
    await expect(redis.xadd('loop:e:empty', '7-7', 'f', 'v')).rejects.toThrow('equal or smaller');
  });

  it('does not take the place of what is there, unless it is told to', async () => {
    await submit(loop.store, 2);
    await backup('save', file);
    await submit(loop.store, 1);
    const refused = await backup('restore', file);
    expect([refused.code, refused.said]).toEqual([3, expect.stringContaining('--replace')]);
    await expect(countOf(loop.store, 'running')).resolves.toBe(3);
    expect((await backup('restore', file, '--replace')).code).toBe(0);
    await expect(countOf(loop.store, 'running')).resolves.toBe(2);
    expect(await backup('save', file)).toMatchObject({
      code: 3,
      said: expect.stringContaining('is there already') as string,
    });
  });

  it('that is not whole changes nothing', async () => {
    await submit(loop.store, 2);
    await backup('save', file);
    const whole = await readFile(file, 'utf8');
    const cut = whole.split('\n').slice(0, -2).join('\n');
    const altered = whole.replace('"type":"hash"', '"type":"hush"');
    for (const [text, why] of [
      [cut, 'its last line is missing'],
      [altered, 'its checksum is another'],
      ['{"some":"json"}\n', 'it does not begin as one'],
      ['', 'JSON'],
      [whole.replace('"layout":1', '"layout":2'), 'layout 2'],
    ] as const) {
      await writeFile(file, text);
      const refused = await backup('restore', file, '--replace');
      expect([refused.code, refused.said]).toEqual([3, expect.stringContaining(why)]);
    }
    await expect(countOf(loop.store, 'running')).resolves.toBe(2);
    expect(await backup('restore', join(folder, 'nothing'))).toMatchObject({ code: 2 });
  });

  it('touches no other database where that of REDIS_URL does not exist', async () => {
    await submit(loop.store, 2);
    await backup('save', file);
    for (const args of [
      ['restore', file, '--replace'],
      ['save', join(folder, 'other')],
      ['verify', file],
    ]) {
      const refused = await backupOf(`${loop.server.url}/99`, ...args);
      expect([args[0], refused.code, refused.said]).toEqual([args[0], 2, expect.stringContaining('REDIS_URL')]);
    }
    await expect(countOf(loop.store, 'running')).resolves.toBe(2);
    expect(await readdir(folder)).toEqual(['fleet.backup']);
  });

  it('is saved where another one was killed before, and says what is in it', async () => {
    await writeFile(`${file}.partial`, 'of a process that was killed');
    const saved = await backup('save', file);
    expect([saved.code, saved.said]).toEqual([0, expect.stringContaining('digests of keys, addresses of webhooks')]);
    expect((await readdir(folder)).sort()).toEqual(['fleet.backup', 'fleet.backup.partial']);
  });

  it('that ends in the middle lets writes go on', async () => {
    await submit(loop.store, 1);
    expect((await backup('save', join(folder, 'nowhere', 'file'))).code).toBe(2);
    await expect(loop.redis.set('loop:launches', 'x')).resolves.toBe('OK');
  });
});
