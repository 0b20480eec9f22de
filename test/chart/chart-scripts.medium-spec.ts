import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { useFolder } from '@fleet/testing';

const files = resolve(__dirname, '../../helm/phenix-fleet/files');
const by = 'helm:fleet/fleet';

interface Outcome {
  readonly code: number;
  readonly said: string;
}

/** Runs a script of the chart as its pod does: everything it needs is in its environment. Without `TIMEOUT_SECONDS` it tries once. */
const runScript = async (name: string, variables: Readonly<Record<string, string>>): Promise<Outcome> => {
  const env = { TIMEOUT_SECONDS: '0', RETRY_MS: '1', ...variables };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(files, name)], { env });
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: stdout + stderr };
  }
};

describe('the scripts of the chart', () => {
  let gateway: Server;
  let launches = { mode: 'open', reason: '', by: '' };
  let ready = { status: 200, body: { status: 'ok', details: {} } as unknown };
  let programs: readonly unknown[] = [];
  let findings: readonly { check: string; level: string; seen: string }[] | undefined;
  /** The states of a trial, told one after the other; the last one stays. */
  let trial: readonly object[] = [];
  let trialsAsked = 0;
  /** Each Authorization header, in the order in which they came. */
  let shown: (string | undefined)[] = [];
  const secrets = useFolder('file');

  const trialAnswer = (method: string | undefined): unknown => {
    const [now = {}] = trial;
    if (trial.length > 1) trial = trial.slice(1);
    if (method !== 'POST') return { trial: now };
    trialsAsked += 1;
    return now;
  };

  beforeEach(async () => {
    launches = { mode: 'open', reason: '', by: '' };
    ready = { status: 200, body: { status: 'ok', details: {} } };
    programs = [];
    findings = undefined;
    trialsAsked = 0;
    shown = [];
    gateway = createServer((request, response) => {
      let text = '';
      shown.push(request.headers.authorization);
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        if (request.method === 'PUT') launches = JSON.parse(text) as typeof launches;
        const answers: Readonly<Record<string, unknown>> = {
          '/v1/admin/launch': launches,
          '/v1/programs': { programs },
          ...(findings !== undefined && { '/v1/admin/doctor': { findings } }),
        };
        const path = request.url?.split('?')[0] ?? '';
        if (path === '/v1/admin/doctor/trial') {
          response.end(JSON.stringify(trialAnswer(request.method)));
          return;
        }
        response.statusCode = path === '/health/ready' ? ready.status : path in answers ? 200 : 404;
        response.end(JSON.stringify(path === '/health/ready' ? ready.body : (answers[path] ?? {})));
      });
    });
    await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done));
  });
  afterEach(() => {
    gateway.closeAllConnections();
    gateway.close();
  });

  const address = (): string => `http://127.0.0.1:${String((gateway.address() as AddressInfo).port)}`;
  const launch = (action: string, where = address()): Promise<Outcome> =>
    runScript('launches.mjs', { ACTION: action, GATEWAY: where, BY: by, REASON: 'upgrade' });

  it('drain before an upgrade and open launches after it', async () => {
    expect(await launch('drain')).toMatchObject({ code: 0 });
    expect(launches).toEqual({ mode: 'draining', reason: 'upgrade', by });
    expect(await launch('resume')).toMatchObject({ code: 0 });
    expect(launches).toMatchObject({ mode: 'open', by });
  });

  it('leave a pause of somebody else as it is, before and after', async () => {
    launches = { mode: 'paused', reason: 'full disk', by: 'anna' };
    expect(await launch('drain')).toMatchObject({ code: 0 });
    expect(await launch('resume')).toMatchObject({ code: 0, said: expect.stringContaining('by anna') as string });
    expect(launches).toEqual({ mode: 'paused', reason: 'full disk', by: 'anna' });
  });

  it('hold up no upgrade when the gateway is away, but say that launches may still be drained', async () => {
    const nowhere = 'http://127.0.0.1:9';
    expect(await launch('drain', nowhere)).toMatchObject({ code: 0, said: expect.stringContaining(nowhere) as string });
    expect(await launch('resume', nowhere)).toMatchObject({ code: 1 });
  });

  it('ask as the administrator whose key lies there; what they began they end, although the gateway writes down whose key it was', async () => {
    const file = join(secrets, 'key');
    writeFileSync(file, 'phx_key\n');
    const env = {
      GATEWAY: address(),
      BY: by,
      REASON: 'upgrade of fleet/fleet',
      ADMIN_KEY_FILE: file,
    };
    expect(await runScript('launches.mjs', { ...env, ACTION: 'drain' })).toMatchObject({ code: 0 });
    launches = { ...launches, by: 'administrator' };
    expect(await runScript('launches.mjs', { ...env, ACTION: 'resume' })).toMatchObject({ code: 0 });
    expect(launches).toMatchObject({ mode: 'open' });
    await runScript('check-fleet.mjs', {
      GATEWAY: address(),
      REQUIRE_PROGRAMS: 'false',
      ADMIN_KEY_FILE: file,
    });
    expect(new Set(shown)).toEqual(new Set(['Bearer phx_key']));
  });

  it('show no key where there is none, or where its Secret is not there yet', async () => {
    const env = { GATEWAY: address(), REQUIRE_PROGRAMS: 'false' };
    await runScript('check-fleet.mjs', env);
    await runScript('check-fleet.mjs', { ...env, ADMIN_KEY_FILE: join(secrets, 'nothing') });
    expect(new Set(shown)).toEqual(new Set([undefined]));
  });

  const check = (requirePrograms: string): Promise<Outcome> =>
    runScript('check-fleet.mjs', { GATEWAY: address(), REQUIRE_PROGRAMS: requirePrograms });

  it('find a fleet with programs well, and list them', async () => {
    programs = [
      { program: 'xtriage', installed: true, version: '1.2' },
      { program: 'refine', installed: false },
    ];
    const { code, said } = await check('true');
    expect(code).toBe(0);
    expect(said).toContain('xtriage 1.2');
    expect(said).toContain('1 of 2 programs are installed');
  });

  it('find a fleet without programs not well, unless that is allowed', async () => {
    expect(await check('true')).toMatchObject({ code: 1, said: expect.stringContaining('no program') as string });
    expect(await check('false')).toMatchObject({ code: 0 });
  });

  it('find a fleet not well in which the doctor finds an error, with its words', async () => {
    findings = [
      { check: 'redis.eviction', level: 'error', seen: 'maxmemory-policy is allkeys-lru.' },
      { check: 'redis.sync', level: 'warning', seen: 'appendfsync is no.' },
    ];
    const ill = await check('false');
    expect(ill).toMatchObject({ code: 1, said: expect.stringContaining('maxmemory-policy is allkeys-lru.') as string });
    expect(ill.said).toContain('the doctor found: redis.eviction');
    findings = [{ check: 'programs.installed', level: 'error', seen: 'No executor has found a program.' }];
    expect(await check('false')).toMatchObject({ code: 0 });
  });

  it('wait for a trial of the doctor where they are told to, and find what it finds', async () => {
    findings = [];
    const env = { GATEWAY: address(), REQUIRE_PROGRAMS: 'false', PODS: 'true' };
    const well = { check: 'trial.cpu.network.closed', level: 'ok', seen: 'It reaches nothing.' };
    trial = [{ state: 'waiting' }, { state: 'running' }, { state: 'done', findings: [well] }];
    expect(await runScript('check-fleet.mjs', { ...env, TIMEOUT_SECONDS: '600' })).toMatchObject({
      code: 0,
      said: expect.stringContaining('It reaches nothing.') as string,
    });
    expect(trialsAsked).toBe(1);
    trial = [{ state: 'done', findings: [{ ...well, level: 'error', seen: 'It reaches Redis.' }] }];
    expect(await runScript('check-fleet.mjs', env)).toMatchObject({
      code: 1,
      said: expect.stringContaining('It reaches Redis.') as string,
    });
    trial = [{ state: 'waiting' }];
    expect(await runScript('check-fleet.mjs', env)).toMatchObject({
      code: 1,
      said: expect.stringContaining('the trial of the doctor is waiting') as string,
    });
  });

  it('find a gateway that is not ready not well, with its own words', async () => {
    ready = { status: 503, body: { detail: 'Not ready: redis.' } };
    expect(await check('false')).toMatchObject({
      code: 1,
      said: expect.stringContaining('Not ready: redis') as string,
    });
  });
});

describe('the scripts at the end of an installation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-chart-'));
  let api: Server;
  /** The Jobs that are left, and those of them that are being deleted. */
  let jobs: ReadonlySet<string>;
  const deleted = new Set<string>();
  let endWhenAllAreDeleted: boolean;

  beforeAll(async () => {
    writeFileSync(join(folder, 'token'), 'token');
    api = createServer(({ method, url = '' }, response) => {
      if (method === 'DELETE') deleted.add(url.split('/').at(-1) ?? '');
      else if (endWhenAllAreDeleted && deleted.size === jobs.size) jobs = new Set();
      const items = [...jobs].map((name) => ({
        metadata: { name, ...(deleted.has(name) && { deletionTimestamp: 'now' }) },
      }));
      response.end(JSON.stringify({ items }));
    });
    await new Promise<void>((done) => api.listen(0, '127.0.0.1', done));
  });
  beforeEach(() => {
    jobs = new Set(Array.from({ length: 300 }, (_, index) => `phx-${String(index)}`));
    deleted.clear();
    endWhenAllAreDeleted = true;
  });
  afterAll(() => {
    api.closeAllConnections();
    api.close();
    rmSync(folder, { recursive: true });
  });

  const remove = (seconds: string): Promise<Outcome> =>
    runScript('remove-jobs.mjs', {
      NAMESPACE: 'jobs',
      INSTALLATION: 'fleet',
      TIMEOUT_SECONDS: seconds,
      API_SERVER: `http://127.0.0.1:${String((api.address() as AddressInfo).port)}`,
      TOKEN_FILE: join(folder, 'token'),
    });

  it('names some of the Jobs that are left, and how many there are', async () => {
    endWhenAllAreDeleted = false;
    const { code, said } = await remove('0');
    expect(code).toBe(1);
    expect(said).toMatch(/phx-0, phx-1, .* and \d+ more/);
    expect(said.length).toBeLessThan(1000);
  });

  it('deletes all Jobs before it waits for the end of any', async () => {
    expect(await remove('600')).toMatchObject({ code: 0, said: expect.stringContaining('none is left') as string });
  });
});
