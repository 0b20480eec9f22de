import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { compileSupervisor, startRedis, useFolder } from '@fleet/testing';
import { readTrialRecord, trialIdFile, trialArguments, trialRecordIn, type TrialPlan } from './trial/trial-record';

const top = useFolder('file');
const compiled = compileSupervisor();
const script = join(compiled.script, '..', 'run-trial.js');

const run = (args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; errors: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      { env: { PATH: '/usr/bin:/bin', ...env } },
      (_, __, errors) => resolve({ code: child.exitCode ?? -1, errors }),
    );
  });

const aPlan = (name: string, changes: Partial<TrialPlan> = {}): TrialPlan => {
  const folder = join(top, name);
  mkdirSync(folder);
  writeFileSync(join(folder, trialIdFile), 'abc');
  return { folder, name: 'cpu-0', reads: [], calls: [], names: [], ...changes };
};

describe('the process of a trial', () => {
  it('records what it can write in its folder and what it can read, and leaves nothing else', async () => {
    const plan = aPlan('well', { reads: [top, join(top, 'away')], names: ['localhost', 'no-such-name.invalid'] });
    expect(await run(trialArguments(plan))).toMatchObject({ code: 0 });
    const record = readTrialRecord(join(plan.folder, 'cpu-0.json'))!;
    expect(record).toMatchObject({
      uid: process.getuid?.(),
      gid: process.getgid?.(),
      told: 'abc',
      gpus: [],
      calls: [],
    });
    expect(record.work.map(({ what, result }) => `${what} ${result}`)).toEqual([
      'write ok',
      'hard_links ok',
      'rename ok',
      'exclusive ok',
    ]);
    expect(record.syncMs).toBeGreaterThan(0);
    expect(Math.abs(record.serverAheadMs ?? 1e9)).toBeLessThan(60_000);
    expect(record.unreadable).toEqual([{ folder: join(top, 'away'), result: 'ENOENT' }]);
    expect(record.names[0]?.address).toBeDefined();
    expect(record.names[1]).toEqual({ name: 'no-such-name.invalid' });
    expect(readdirSync(plan.folder).sort()).toEqual(['cpu-0.json', trialIdFile]);
  });

  it('calls the hosts that it must not reach, and reports a Redis that obeys anyone', async () => {
    const redis = await startRedis();
    const deaf = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => deaf.once('listening', resolve));
    const port = (deaf.address() as AddressInfo).port;
    const { hostname: host, port: redisPort } = new URL(redis.url);
    const plan = aPlan('network', { calls: [{ what: 'Redis', host, port: Number(redisPort) }] });
    const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(port) };
    await run(trialArguments(plan), env);
    await redis.stop();
    const again = aPlan('gone', { calls: plan.calls });
    await run(trialArguments(again));
    deaf.close();
    expect(readTrialRecord(join(plan.folder, 'cpu-0.json'))?.calls).toMatchObject([
      { what: 'the API server', result: 'connected', obeys: false },
      { what: 'Redis', result: 'connected', obeys: true },
    ]);
    expect(readTrialRecord(join(again.folder, 'cpu-0.json'))?.calls).toMatchObject([
      { result: 'refused', obeys: false },
    ]);
  });

  it('prints the record and exits with 1 if it cannot write the file', async () => {
    const { code, errors } = await run(trialArguments({ ...aPlan('x'), folder: join(top, 'missing') }));
    expect(code).toBe(1);
    expect(trialRecordIn(JSON.parse(errors.trim()))).toMatchObject({
      told: 'ENOENT',
      work: [{ what: 'write', result: 'ENOENT' }],
    });
  });

  it('rejects a folder that is not an absolute path', async () => {
    expect(await run(['--folder', 'x', '--name', 'cpu'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('--folder needs the absolute path of a folder') as string,
    });
  });
});
