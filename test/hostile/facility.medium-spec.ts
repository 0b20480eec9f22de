import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { startRedis } from '@fleet/testing';
import { LocalFacility, partsOf } from './local-facility';

let facility: LocalFacility;
beforeEach(() => {
  facility = new LocalFacility();
});
afterEach(() => facility.remove());

/** Processes of this machine that work in a folder. */
const workingIn = (folder: string): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch (error) {
        if (['ENOENT', 'EACCES', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
        throw error;
      }
    }).length;

const lives = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
};

/** @needs linux: processes are looked up in /proc. */
describe('a facility on one machine', () => {
  it('is started once, however many ask for it at the same time', async () => {
    const starts = await Promise.all([facility.start(), facility.start(), facility.start()]);
    expect(starts.map(({ code, stderr }) => [code, stderr])).toEqual(starts.map(() => [0, '']));
    const pids = starts.map(({ stdout }) => partsOf(JSON.parse(stdout) as never).map(({ pid }) => pid));
    expect(new Set(pids.map(String)).size).toBe(1);
    expect(workingIn(join(facility.folder, 'redis'))).toBe(1);
    await facility.run('stop');
    expect(pids[0]?.filter(lives)).toEqual([]);
  });

  it('starts again what is killed, Redis among it, on the same ports, and says so', async () => {
    const before = await facility.started();
    for (const part of [before.services['executor-worker'], before.redis]) process.kill(part?.pid ?? 0, 'SIGKILL');
    const after = await facility.until(({ services, redis }) =>
      [services['executor-worker'], redis].every((part) => part?.alive && part.restarts === 1),
    );
    expect(partsOf(after).map(({ port }) => port)).toEqual(partsOf(before).map(({ port }) => port));
    expect(after.services['gateway']?.pid).toBe(before.services['gateway']?.pid);
    expect(facility.file('logs', 'supervisor.log')).toMatch(/executor-worker has ended \(SIGKILL\)/);
    // The second time it waits: what dies at once again and again is not started again and again at once.
    process.kill(after.services['executor-worker']?.pid ?? 0, 'SIGKILL');
    await facility.until(({ services }) => services['executor-worker']?.restarts === 2);
    expect(facility.file('logs', 'supervisor.log')).toMatch(/executor-worker .*again in 1 s/);
    await facility.until(({ services }) => services['executor-worker']?.alive === true);
  });

  it('goes on without its supervisor, says that nothing is started again then, and takes back what runs', async () => {
    const before = await facility.started();
    process.kill(before.supervisor.pid, 'SIGKILL');
    await facility.until(({ supervisor }) => !supervisor.alive);
    const { stderr } = await facility.run('status');
    expect(stderr).toContain('The supervisor has ended, so nothing that ends is started again.');
    process.kill(before.services['decision-worker']?.pid ?? 0, 'SIGKILL');
    const after = await facility.started();
    expect(partsOf(after).every(({ alive }) => alive)).toBe(true);
    expect(after.redis.pid).toBe(before.redis.pid);
    expect(after.services['gateway']?.pid).toBe(before.services['gateway']?.pid);
    expect(after.services['decision-worker']?.pid).not.toBe(before.services['decision-worker']?.pid);
  });

  it('takes another port for a worker whose own somebody else has taken meanwhile', async () => {
    const before = (await facility.started()).services['decision-worker'];
    await facility.run('stop');
    const stranger = createServer().listen(before?.port, '127.0.0.1');
    await once(stranger, 'listening');
    const after = (await facility.started()).services;
    stranger.close();
    expect(after['decision-worker']).toMatchObject({ alive: true, port: expect.any(Number) as number });
    expect(after['decision-worker']?.port).not.toBe(before?.port);
  });

  it('says why a service does not start, and lets a second supervisor end by itself', async () => {
    const { code, stderr } = await facility.start('--env', 'FLEET_SWEEP_BATCH=many');
    expect(code).toBe(1);
    expect(stderr).toMatch(/did not get ready.*FLEET_SWEEP_BATCH: "many"/s);
    const second = await facility.run('run', '--no-setup');
    expect(second.code).toBe(75);
    expect(second.stderr).toContain('is looked after already');
  });
});

/** @needs linux: arguments and environments are read in /proc. */
describe('secrets of a facility on one machine', () => {
  const modeOf = (...names: readonly string[]): string =>
    (statSync(join(facility.folder, ...names)).mode & 0o777).toString(8);

  it('are files of their owner alone: no argument, no environment, no output and no log has them', async () => {
    const state = await facility.started();
    const password = facility.file('redis', 'password').trim();
    expect(password).toMatch(/^[0-9a-f]{64}$/);
    const seen = [JSON.stringify(state), (await facility.run('status')).stdout, facility.file('facility.json')];
    for (const { pid } of partsOf(state))
      for (const file of ['cmdline', 'environ']) seen.push(readFileSync(`/proc/${String(pid)}/${file}`, 'utf8'));
    for (const name of readdirSync(join(facility.folder, 'logs'))) seen.push(facility.file('logs', name));
    expect(seen.filter((text) => text.includes(password))).toEqual([]);
    for (const name of ['password', 'url', 'redis.conf', 'redis.log']) expect(modeOf('redis', name)).toBe('600');
    for (const name of ['facility.json', 'facility-request.json']) expect(modeOf(name)).toBe('600');
    expect([modeOf('redis'), modeOf('sessions'), modeOf('logs'), modeOf()]).toEqual(['700', '750', '750', '750']);

    const stranger = new Redis(state.redis.port, '127.0.0.1', { maxRetriesPerRequest: 0 });
    stranger.on('error', () => undefined);
    await expect(stranger.get('fleet:installation')).rejects.toThrow('NOAUTH');
    stranger.disconnect();
    const friend = new Redis(readFileSync(state.redis.urlFile, 'utf8').trim());
    expect(await friend.get('fleet:installation')).not.toBeNull();
    friend.disconnect();
  });

  it('stay in their file when the Redis is one of REDIS_URL', async () => {
    const server = await startRedis();
    const administrator = new Redis(server.url);
    await administrator.config('SET', 'requirepass', 'hunter2');
    administrator.disconnect();
    const own = new LocalFacility({ REDIS_URL: server.url.replace('//', '//:hunter2@') });
    try {
      const { code, stdout } = await own.start('--env', 'FLEET_MAX_FILES=20');
      expect(code).toBe(0);
      const state = JSON.parse(stdout) as { redis: { urlFile: string; url: string } };
      expect(state.redis).toEqual({ url: server.url, urlFile: join(own.folder, 'redis-url') });
      for (const name of ['facility.json', 'facility-request.json']) expect(own.file(name)).not.toContain('hunter2');
      expect(statSync(state.redis.urlFile).mode & 0o777).toBe(0o600);
      expect(stdout).not.toContain('hunter2');
    } finally {
      await own.remove();
      await server.stop();
    }
  });
});
