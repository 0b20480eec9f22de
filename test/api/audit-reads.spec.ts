import { mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import type { AuditEntry } from '@fleet/contracts/audit';
import { principalRoles, type PrincipalRole } from '@fleet/contracts/route';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import { aCycle, aFile, ManualClock, aResult } from '@fleet/testing';
import { PlainAuditLog } from './audit-log.fake';
import { KeyedGateway } from './keyed-gateway';
import type { JsonAnswer } from './harness-options';

/** One whose disk can be away. */
class FailingAuditLog extends PlainAuditLog {
  isAway = false;

  override write(entry: AuditEntry): Promise<void> {
    return this.isAway ? Promise.reject(new Error('no space left')) : super.write(entry);
  }

  async take(): Promise<readonly AuditEntry[]> {
    const { entries } = await this.list({}, 1000);
    this.forget();
    return entries.toReversed();
  }
}

const minuteMs = 60_000;

describe('reads in the audit log', () => {
  let keyed: KeyedGateway;
  let clock: ManualClock;
  let log: FailingAuditLog;
  let session: string;
  let batch: string;
  const keys: Partial<Record<PrincipalRole, Record<string, string>>> = {};
  const read = (path: string, role: PrincipalRole, more: Record<string, string> = {}): Promise<JsonAnswer> =>
    keyed.get(path, { accept: 'application/json', ...keys[role], ...more });

  beforeAll(async () => {
    clock = new ManualClock(Date.now());
    log = new FailingAuditLog();
    keyed = await KeyedGateway.withKeys({}, { audit: () => log, clock });
    for (const role of principalRoles)
      keys[role] = await keyed.key(role, role, role === 'admin' ? {} : { proposals: ['mx1'] });
    batch = await keyed.batch('mx1');
    session = await keyed.session('mx1');
    const { folder } = (await keyed.store.records.load(session))!;
    const path = join(folder, 'c001-refine/a1/model.pdb');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'ATOM 1');
    const written = keyed.folder.logPath((await keyed.store.records.load(session))!, aCycle(), 1);
    mkdirSync(dirname(written), { recursive: true });
    writeFileSync(written, 'line 1\n');
    const facts = { format: 'pdb' } as const;
    const outputs = [aFile({ path, size: 6, cycle: 1, program: 'phenix.refine', facts })];
    await keyed.store.records.advance({
      sessionId: session,
      fromVersion: 1,
      to: { ended: { reason: 'converged', detail: 'done', afterCycle: 1 } },
      cycleRecord: aCycle({ result: aResult({ outputs }) }),
      events: [],
      dueInMs: 1,
    });
  });
  afterAll(() => keyed.stop());
  beforeEach(async () => {
    clock.forward(11 * minuteMs);
    log.isAway = false;
    await log.take();
  });

  const of = (role: PrincipalRole, more: Partial<AuditEntry>): object => ({
    who: role,
    role,
    from: '127.0.0.1',
    ...more,
  });

  const downloads = [
    ['files/1/model.pdb', { bytes: 6 }],
    ['files.zip?which=all', { files: 1 }],
    ['cycles/1/log', { bytes: 7 }],
    ['cycles/1/prompts', {}],
  ] as const;
  it.each(downloads)('record %s each time, allowed or denied', async (path, known) => {
    const url = `/v1/sessions/${session}/${path}`;
    const endpoint = `GET ${url.split('?')[0] ?? ''}`;
    const object = `session ${session}`;
    for (const role of principalRoles) {
      const { status } = await read(url, role);
      const denied = {
        action: 'session.download',
        endpoint,
        object,
        outcome: 'denied',
        code: 'access.denied',
      } as const;
      const done = { action: 'session.download', endpoint, object, outcome: 'done', ...known } as const;
      expect([role, status]).toEqual([role, role === 'kiosk' ? 403 : 200]);
      expect(await log.take()).toMatchObject([of(role, role === 'kiosk' ? denied : done)]);
      await read(url, role);
      const isAgain = role !== 'kiosk' && !path.endsWith('/log');
      expect([role, await log.take()]).toMatchObject([role, isAgain ? [of(role, done)] : []]);
    }
  });

  it('record parts of a file and of a log once in ten minutes', async () => {
    const parts = [
      ['files/1/model.pdb', { range: 'bytes=0-1' }],
      ['cycles/1/log?offset=0', {}],
    ] as const;
    for (const [path, headers] of parts) {
      for (let round = 0; round < 3; round += 1) await read(`/v1/sessions/${session}/${path}`, 'user', headers);
      expect(await log.take()).toHaveLength(1);
    }
    clock.forward(10 * minuteMs);
    for (const [path, headers] of parts) await read(`/v1/sessions/${session}/${path}`, 'user', headers);
    expect(await log.take()).toHaveLength(2);
  });

  it('record a refused download with the reason', async () => {
    for (const cycle of [0, 1]) await read(`/v1/sessions/${session}/files/${String(cycle)}/nothing.pdb`, 'user');
    const refused = of('user', { outcome: 'refused', code: 'file.not_found' });
    expect(await log.take()).toMatchObject([refused, refused]);
  });

  const workers = principalRoles.filter((role) => role !== 'kiosk');
  const attendants: readonly PrincipalRole[] = ['staff', 'admin', 'service'];
  it('record reads of sessions and batches by staff, administrators and services once in ten minutes each', async () => {
    const records = [
      ...['', '/status', '/results', '/trace', '/events', '/summary', '/advice'].map(
        (one) => `sessions/${session}${one}`,
      ),
      ...['', '/rows', '/results', '/results.csv'].map((one) => `batches/${batch}${one}`),
    ];
    for (const role of workers) {
      const statuses = await Promise.all(records.map(async (path) => (await read(`/v1/${path}`, role)).status));
      expect([role, new Set(statuses)]).toEqual([role, new Set([200])]);
      const entries = await log.take();
      const found = entries.map(({ action, object }) => `${action} of ${object}`);
      const expected = [`batch.read of batch ${batch}`, `session.read of session ${session}`];
      // The requests are concurrent, so their entries have no order.
      expect([role, found.toSorted()]).toEqual([role, attendants.includes(role) ? expected : []]);
      clock.forward(9 * minuteMs);
      await read(`/v1/sessions/${session}/status`, role);
      expect(await log.take()).toEqual([]);
      clock.forward(minuteMs);
      await read(`/v1/sessions/${session}/status`, role);
      expect(await log.take()).toHaveLength(attendants.includes(role) ? 1 : 0);
    }
  });

  it('record the id of a session that an administrator requests by its title', async () => {
    await read('/v1/sessions/lysozyme/status', 'admin');
    expect(await log.take()).toMatchObject([of('admin', { object: `session ${session}` })]);
  });

  it('record the opening of a stream, but none of its events', async () => {
    const url = await keyed.listen();
    const open = (path: string, role: PrincipalRole): Promise<void> =>
      new Promise((done, failed) => {
        const request = get(`${url}${path}`, { headers: { accept: 'text/event-stream', ...keys[role] } }, (answer) => {
          answer.resume();
          request.destroy();
          done();
        });
        request.on('error', failed);
      });
    for (const role of ['user', 'staff'] as const) {
      await open(`/v1/sessions/${session}/events`, role);
      await open('/v1/events', role);
    }
    expect((await log.take()).map(({ who, action }) => [who, action])).toEqual([
      ['user', 'wall.read'],
      ['staff', 'session.read'],
      ['staff', 'wall.read'],
    ]);
  });

  it('record lists by every role, each once in ten minutes', async () => {
    const lists = ['/v1/sessions', '/v1/batches', '/v1/counts', '/v1/wall'];
    for (const role of workers) {
      for (let round = 0; round < 3; round += 1) for (const path of lists) await read(path, role);
      const entries = await log.take();
      expect(entries.map(({ who, endpoint, outcome }) => [who, endpoint, outcome])).toEqual(
        lists.map((path) => [role, `GET ${path}`, 'done']),
      );
    }
    for (let round = 0; round < 3; round += 1) await read('/v1/wall', 'kiosk');
    expect(await log.take()).toMatchObject([of('kiosk', { endpoint: 'GET /v1/wall', outcome: 'done' })]);
    for (const path of [
      '/v1/admin/status',
      '/v1/admin/keys',
      '/v1/admin/audit',
      '/v1/admin/audit.csv',
      '/v1/admin/queues',
    ])
      await read(path, 'admin');
    expect((await log.take()).map(({ action }) => action)).toEqual([
      'admin.read',
      'keys.read',
      'audit.read',
      'audit.read',
      'queue.read',
    ]);
  });

  it('record no read of data without an owner', async () => {
    for (const path of ['/v1/me', '/v1/ping', '/v1/programs', '/v1/settings', '/health/live', '/docs-json'])
      for (const role of workers) await read(path, role);
    expect(await log.take()).toEqual([]);
  });

  it('block only downloads when the audit log cannot be written', async () => {
    log.isAway = true;
    for (const [path] of downloads) {
      // Twice: what was not written is not treated as written.
      for (let round = 0; round < 2; round += 1) {
        const answer = await read(`/v1/sessions/${session}/${path}`, 'user');
        expect([answer.status, (answer.json() as ProblemDetails).code]).toEqual([503, 'audit.unwritable']);
        expect(
          Object.keys(answer.headers).filter((name) => /^(x-log-|etag|content-(disposition|range))/.test(name)),
        ).toEqual([]);
        expect(answer.headers).toMatchObject({ 'content-type': 'application/problem+json', 'retry-after': '2' });
      }
    }
    expect((await read(`/v1/sessions/${session}`, 'staff')).status).toBe(200);
    expect((await read('/v1/sessions', 'user')).status).toBe(200);
    expect((await read(`/v1/sessions/${session}/files/1/nothing.pdb`, 'user')).status).toBe(404);
    log.isAway = false;
    expect((await read(`/v1/sessions/${session}/cycles/1/log`, 'user')).text).toBe('line 1\n');
    expect(await log.take()).toHaveLength(1);
  });

  it('contain no key and no query', async () => {
    await read(`/v1/sessions/${session}/files.zip?which=all`, 'user');
    const [entry] = await log.take();
    expect(JSON.stringify(entry)).not.toMatch(/Bearer|phx_|which/);
  });
});
