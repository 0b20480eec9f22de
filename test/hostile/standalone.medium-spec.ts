import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { LocalStandalone, partsOf, type ShownStandalone } from './local-standalone';

const standalone = new LocalStandalone();
afterAll(() => standalone.remove());

/** @needs linux: arguments and environments are read in /proc. */
/** A pid of 0 would be the process group of this test. */
const killProcess = (pid: number | undefined): void => {
  if (pid === undefined) throw new Error('The part has no process.');
  process.kill(pid, 'SIGKILL');
};

/** All but that of the killed worker, which no client knows, and which another process may have taken meanwhile. */
const knownPorts = (state: ShownStandalone): readonly unknown[] =>
  partsOf(state)
    .filter((part) => part !== state.services['executor-worker'])
    .map(({ port }) => port);

describe('an installation on one machine', () => {
  it('is started once by concurrent starts', async () => {
    const starts = await Promise.all([standalone.start(), standalone.start(), standalone.start()]);
    for (const { code, stderr } of starts) {
      expect(code).toBe(0);
      expect(stderr).toMatch(/^\nDashboard: http:\S+\/ui\/\nFor phx: {3}export PHX_SERVER=http:\S+\n$/);
    }
    const pids = starts.map(({ stdout }) => partsOf(JSON.parse(stdout) as ShownStandalone).map(({ pid }) => pid));
    expect(new Set(pids.map(String)).size).toBe(1);
    expect(standalone.file('redis', 'redis.log').match(/is starting/g)).toHaveLength(1);
    expect(standalone.file('postgres', 'postgres.log').match(/starting PostgreSQL/g)).toHaveLength(1);
  });

  it('makes a second supervisor exit', async () => {
    const second = await standalone.run('run', '--no-setup');
    expect(second.code).toBe(75);
    expect(second.stderr).toContain('is looked after already');
  });

  it('keeps its secrets only in files of their owner: no argument, environment, output or log has them', async () => {
    const modeOf = (...names: readonly string[]): string =>
      (statSync(join(standalone.folder, ...names)).mode & 0o777).toString(8);
    const passwords = ['redis', 'postgres'].map((name) => standalone.file(name, 'password').trim());
    for (const password of passwords) expect(password).toMatch(/^[0-9a-f]{64}$/);
    const { stdout } = await standalone.run('status');
    const state = JSON.parse(stdout) as ShownStandalone;
    const seen = [stdout, standalone.file('standalone.json')];
    for (const { pid } of partsOf(state))
      for (const file of ['cmdline', 'environ']) seen.push(readFileSync(`/proc/${String(pid)}/${file}`, 'utf8'));
    for (const name of readdirSync(join(standalone.folder, 'logs'))) seen.push(standalone.file('logs', name));
    expect(seen.filter((text) => passwords.some((password) => text.includes(password)))).toEqual([]);
    for (const name of ['password', 'url', 'redis.conf', 'redis.log']) expect(modeOf('redis', name)).toBe('600');
    for (const name of ['password', 'url', 'postgres.log']) expect(modeOf('postgres', name)).toBe('600');
    for (const name of ['standalone.json', 'standalone-request.json']) expect(modeOf(name)).toBe('600');
    expect([modeOf('redis'), modeOf('sessions'), modeOf('logs'), modeOf()]).toEqual(['700', '750', '750', '750']);

    const stranger = new Redis(state.redis.port, '127.0.0.1', { maxRetriesPerRequest: 0 });
    stranger.on('error', () => undefined);
    await expect(stranger.ping()).rejects.toThrow('NOAUTH');
    stranger.disconnect();
    const friend = new Redis(readFileSync(state.redis.urlFile, 'utf8').trim());
    expect(await friend.ping()).toBe('PONG');
    friend.disconnect();
  });

  it('restarts killed processes, PostgreSQL and Redis on the same ports, and logs it', async () => {
    const before = standalone.state();
    for (const part of [before.services['executor-worker'], before.redis, before.postgres]) killProcess(part?.pid);
    const after = await standalone.until(({ services, redis, postgres }) =>
      [services['executor-worker'], redis, postgres].every((part) => part?.alive && (part.restarts ?? 0) > 0),
    );
    expect(knownPorts(after)).toEqual(knownPorts(before));
    expect(after.services['gateway']?.pid).toBe(before.services['gateway']?.pid);
    expect(standalone.file('logs', 'supervisor.log')).toMatch(/executor-worker has ended \(SIGKILL\)/);
  });

  it('continues without its supervisor, reports that nothing is restarted, and adopts running processes', async () => {
    const before = standalone.state();
    process.kill(before.supervisor.pid, 'SIGKILL');
    await standalone.until(({ supervisor }) => !supervisor.alive);
    const { stderr } = await standalone.run('status');
    expect(stderr).toContain('The supervisor has ended, so nothing that ends is started again.');
    killProcess(before.services['decision-worker']?.pid);
    const { code, stdout } = await standalone.start();
    expect(code).toBe(0);
    const after = JSON.parse(stdout) as ShownStandalone;
    expect(partsOf(after).every(({ alive }) => alive)).toBe(true);
    expect(after.redis.pid).toBe(before.redis.pid);
    expect(after.postgres.pid).toBe(before.postgres.pid);
    expect(after.services['gateway']?.pid).toBe(before.services['gateway']?.pid);
    expect(after.services['decision-worker']?.pid).not.toBe(before.services['decision-worker']?.pid);
  });

  it('ends with all its processes', async () => {
    const before = standalone.state();
    await standalone.run('stop');
    expect(partsOf(LocalStandalone.shown(before)).map(({ alive }) => alive)).toEqual(Array(7).fill(false));
  });

  it('reports why a service does not start', async () => {
    const { code, stderr } = await standalone.start('--env', 'FLEET_SWEEP_BATCH=many');
    expect(code).toBe(1);
    expect(stderr).toMatch(/did not get ready.*FLEET_SWEEP_BATCH: "many"/s);
  });
});
