import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { probeArguments, readProbeRecord } from '@fleet/attempt-runner';
import { LocalRuns, useFolder } from '@fleet/testing';
import { startServers, type Servers } from '../support/servers';
import { ServiceProcess, services, type ServiceName } from './service-process';

const folder = useFolder();
let servers: Servers;
let started: ServiceProcess[];

beforeEach(async () => {
  for (const name of ['work', 'data']) mkdirSync(join(folder, name));
  servers = await startServers();
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((service) => service.kill()));
  await servers.stop();
});

const start = async (name: ServiceName, output: number | 'pipe', env = {}): Promise<ServiceProcess> => {
  const options = { servers: servers.env, workRoot: join(folder, 'work'), dataRoot: join(folder, 'data') };
  const service = await ServiceProcess.start(name, { ...options, env, stdio: ['ignore', output, output] });
  started.push(service);
  return service;
};

const untilAllAre = async (ready: boolean): Promise<void> => {
  await Promise.all(started.map((service) => service.untilReady(ready)));
};

/** @needs linux: /dev/full and named pipes. */
describe('a service whose log cannot be written', () => {
  it('continues when standard output and standard error are full or closed', async () => {
    const full = openSync('/dev/full', 'w');
    const env = { FLEET_LOG_LEVEL: 'debug' };
    const outputs = {
      gateway: full,
      'decision-worker': full,
      'executor-worker': 'pipe',
      'log-analysis-worker': 'pipe',
    } as const;
    await Promise.all(services.map((name) => start(name, outputs[name], env)));
    closeSync(full);
    await untilAllAre(true);
    for (const { child } of started) {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }
    // Stopping and restarting Redis makes each service log.
    await servers.redis.kill();
    await untilAllAre(false);
    await servers.redis.restart();
    await untilAllAre(true);
    expect(started.map(({ lives }) => lives)).toEqual(services.map(() => true));
  });

  it('still exits with its code when it cannot start', async () => {
    const full = openSync('/dev/full', 'w');
    const service = await start('decision-worker', full, { FLEET_LOG_LEVEL: 'loud' });
    closeSync(full);
    await expect(service.ended).resolves.toBe(78);
  });

  it('counts lost lines, and reports them once when its output is read again', async () => {
    const path = join(folder, 'log');
    execFileSync('mkfifo', [path]);
    const openReader = (): number => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const first = openReader();
    const writer = openSync(path, constants.O_WRONLY);
    const service = await start('decision-worker', writer);
    closeSync(writer);
    await service.untilReady();
    closeSync(first);
    let notices: readonly string[] = [];
    // The service may not have logged before its output is read again.
    while (notices.length === 0) {
      await servers.redis.kill();
      await service.untilReady(false);
      const reader = openReader();
      await servers.redis.restart();
      await service.untilReady();
      let text = '';
      while (!text.includes('Redis is back')) {
        text += readNow(reader);
        await sleep(20);
      }
      closeSync(reader);
      notices = text.split('\n').filter((line) => line.includes('could not be written'));
    }
    expect(notices.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        level: 'warn',
        service: 'decision-worker',
        lost: expect.any(Number) as number,
        reason: 'EPIPE',
      }),
    ]);
  });
});

/** @needs linux: /dev/full */
describe('the probe of a container whose standard error is full', () => {
  const runs = new LocalRuns();
  afterAll(() => runs.dispose());

  it('writes its record, its warnings in it', () => {
    const out = join(folder, 'programs.json');
    const [phenixFolder, openPhenixFolder] = [join(folder, 'phenix'), join(folder, 'kit')];
    for (const [of, name] of [
      [phenixFolder, 'phenix.refine'],
      [openPhenixFolder, 'open-phenix'],
    ] as const) {
      mkdirSync(join(of, 'bin'), { recursive: true });
      writeFileSync(join(of, 'bin', name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    }
    const probe = join(dirname(runs.supervisor.script), 'probe-programs.js');
    const args = probeArguments({ programs: ['phenix.refine'], phenixFolder, openPhenixFolder }, out);
    execFileSync('/bin/sh', ['-c', 'exec "$@" 2>/dev/full', 'sh', process.execPath, probe, ...args]);
    expect(readProbeRecord(out)?.warnings).toHaveLength(2);
  });
});

const readNow = (file: number): string => {
  const buffer = Buffer.alloc(65_536);
  try {
    return buffer.toString('utf8', 0, readSync(file, buffer));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return '';
    throw error;
  }
};
