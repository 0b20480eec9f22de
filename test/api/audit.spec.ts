import type { AuditEntry, AuditPage } from '@fleet/contracts/audit';
import { ruleOf, type Route } from '@fleet/contracts/route';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import type { AuditLog } from '@fleet/ports';
import { AuditFolder } from '@fleet/session-folder';
import { useStarted } from '@fleet/testing';
import { isChange, isReading } from '../../apps/gateway/src/auth/audit/audited-reads';
import { KeyedGateway } from './keyed-gateway';
import type { GatewayHarness } from './gateway-harness';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
interface Address {
  readonly method: Method;
  readonly path: string;
  readonly requires: Route['permission'];
}
type Headers = Record<string, string>;

describe('the audit log', () => {
  let admin: Headers;
  let ada: Headers;
  const gateway = useStarted('test', () => {
    const audit = (work: string): AuditLog =>
      new AuditFolder(work, { keys: [], maxMiB: 16, keepDays: 400, onWarning: () => undefined });
    return KeyedGateway.withKeys({}, { audit });
  });
  beforeEach(async () => {
    admin = await gateway.key('root', 'admin');
    ada = await gateway.key('ada', 'user', { proposals: ['mx1'] });
  });

  const page = async (query = ''): Promise<AuditPage> =>
    (await gateway.get(`/v1/admin/audit?limit=1000${query}`, admin)).json() as AuditPage;
  const entryOf = async (request: string): Promise<AuditEntry | undefined> =>
    (await page()).entries.find((entry) => entry.request === request);

  /** As the router has them: an address that is added is among them. */
  const addresses = async (): Promise<readonly Address[]> => {
    const document = (await gateway.get('/docs-json')).json() as {
      readonly paths: Readonly<
        Record<string, Readonly<Record<string, { readonly 'x-requires': Route['permission'] }>>>
      >;
    };
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, said]) => ({
        method: method.toUpperCase() as Method,
        path,
        requires: said['x-requires'],
      })),
    );
  };
  const changes = ({ method, requires }: Address): boolean => requires !== 'open' && isChange(method, requires);
  /** By an administrator, who is an attendant. */
  const isReadAndAudited = ({ method, requires }: Address): boolean =>
    requires !== 'open' && isReading(method) && ['always', 'attendants', 'sampled'].includes(ruleOf(requires).audited);

  const ask = async ({ method, path }: Address, request: string, headers: Headers): Promise<void> => {
    const id = path.includes('/batches/') ? await gateway.batch('mx1') : await gateway.session('mx1');
    const url = path.replace('{id}', id).replace('{cycle}', '1').replace('{path}', 'a.pdb');
    await gateway.send(method, url, {
      headers: { accept: 'application/json', 'x-request-id': request, ...headers },
      ...(method !== 'GET' && { body: {} }),
    });
  };

  it('records each changing request and each audited read exactly once, on every route, and nothing else', async () => {
    const all = (await addresses()).filter(({ path }) => !path.endsWith('/events'));
    expect(all.filter(changes).length).toBeGreaterThan(15);
    for (const [index, endpoint] of all.entries()) await ask(endpoint, `all-${String(index)}`, admin);
    const { entries } = await page();
    const counted = all.map((endpoint, index) => [
      `${endpoint.method} ${endpoint.path}`,
      entries.filter(({ request }) => request === `all-${String(index)}`).length,
    ]);
    expect(counted).toEqual(
      all.map((endpoint) => [
        `${endpoint.method} ${endpoint.path}`,
        changes(endpoint) || isReadAndAudited(endpoint) ? 1 : 0,
      ]),
    );
    expect(entries.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
    expect(new Set(entries.map(({ who }) => who))).toEqual(new Set(['root']));
  }, 60_000);

  it('records each denied request of every caller', async () => {
    const changing = (await addresses()).filter(changes);
    for (const [index, endpoint] of changing.entries()) await ask(endpoint, `nobody-${String(index)}`, {});
    const { entries } = await page();
    expect(entries).toHaveLength(changing.length);
    for (const entry of entries)
      expect(entry).toMatchObject({
        who: '',
        outcome: 'denied',
        code: 'access.no_credentials',
      });
    const foreign = await gateway.session('mx2');
    await gateway.send('POST', `/v1/sessions/${foreign}/cancel`, { headers: { ...ada, 'x-request-id': 'foreign' } });
    await gateway.send('PUT', '/v1/admin/launch', { headers: { ...ada, 'x-request-id': 'role' }, body: {} });
    expect(await entryOf('foreign')).toMatchObject({ who: 'ada', outcome: 'denied', object: `session ${foreign}` });
    expect(await entryOf('role')).toMatchObject({ who: 'ada', outcome: 'denied', action: 'admin.change' });
  }, 60_000);

  it('records repeated denied reads once a minute', async () => {
    const foreign = await gateway.session('mx2');
    for (let round = 0; round < 5; round += 1) {
      await gateway.get(`/v1/sessions/${foreign}`, ada);
      await gateway.get('/v1/admin/status', ada);
      await gateway.get('/v1/sessions', { authorization: 'Bearer nothing' });
    }
    expect((await page()).entries.map(({ code }) => code).toSorted()).toEqual([
      'access.bad_credentials',
      'access.denied',
      'session.not_found',
    ]);
  });

  it('records the values before and after, but neither keys nor advice', async () => {
    const send = (method: Method, url: string, body: object, headers = admin): ReturnType<GatewayHarness['send']> =>
      gateway.send(method, url, { body, headers: { 'x-request-id': url.replaceAll('/', '.'), ...headers } });
    await send('PUT', '/v1/admin/launch', { mode: 'paused', reason: 'maintenance' });
    expect(await entryOf('.v1.admin.launch')).toMatchObject({
      who: 'root',
      action: 'admin.change',
      object: 'launches',
      outcome: 'done',
      before: { mode: 'open' },
      after: { mode: 'paused', reason: 'maintenance', by: 'root' },
    });
    const made = await send('POST', '/v1/admin/keys', { owner: 'eve', role: 'kiosk' });
    const { key, record } = made.json() as { readonly key: string; readonly record: { readonly id: string } };
    expect(await entryOf('.v1.admin.keys')).toMatchObject({
      object: `key ${record.id}`,
      after: { owner: 'eve', role: 'kiosk' },
    });
    const files = [gateway.file('a.sca')];
    await send('POST', '/v1/sessions', { files, proposal: 'mx1', advice: 'skip the confidential ligand' }, ada);
    expect(await entryOf('.v1.sessions')).toMatchObject({ who: 'ada', after: { proposal: 'mx1', submitter: 'ada' } });
    const lines = (await gateway.get('/v1/admin/audit.jsonl', admin)).text;
    expect([lines.includes(key), lines.includes('confidential')]).toEqual([false, false]);
    await send('POST', '/v1/sessions', { files: [] }, ada);
    expect((await page()).entries[0]).toMatchObject({ outcome: 'refused', code: 'submission.invalid' });
  });

  it('is readable only by administrators, with filters, as JSON lines and as a table without formulas', async () => {
    const refused = await gateway.get('/v1/admin/audit', ada);
    expect((refused.json() as ProblemDetails).code).toBe('access.denied');
    await gateway.send('PUT', '/v1/admin/launch', { headers: admin, body: { mode: 'paused', reason: '=1+1' } });
    expect((await page('&who=ada')).entries).toMatchObject([{ outcome: 'denied' }]);
    expect((await page('&action=admin.change&object=launches')).entries).toHaveLength(1);
    expect((await page('&since=2099-01-01')).entries).toEqual([]);
    const wrong = await gateway.get('/v1/admin/audit?who=&action=all&cursor=x&limit=0', admin);
    expect((wrong.json() as ProblemDetails).problems?.map(({ field }) => field).toSorted()).toEqual([
      'action',
      'cursor',
      'limit',
      'who',
    ]);
    const lines = (await gateway.get('/v1/admin/audit.jsonl', admin)).text.trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as AuditEntry);
    expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([
      ['audit.read', 'denied'],
      ['admin.change', 'done'],
      ['audit.read', 'done'],
      ['audit.read', 'refused'],
    ]);
    const table = await gateway.get('/v1/admin/audit.csv?action=admin.change', admin);
    expect(table.headers['content-type']).toContain('text/csv');
    expect(table.text.split('\r\n')[0]).toBe(
      'at,who,role,action,object,outcome,code,before,after,bytes,files,endpoint,from,request,id',
    );
    expect(table.text.split('\r\n')).toHaveLength(3);
  });
});
