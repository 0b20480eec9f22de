import type { BatchView } from '@fleet/contracts/batches';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import type { AuditLog } from '@fleet/ports';
import { MemoryRateLimits } from '@fleet/redis';
import type { Rates } from '../../apps/gateway/src/http/gateway-options';
import { PlainAuditLog } from './audit-log.fake';
import { KeyedGateway } from './keyed-gateway';
import type { GatewayHarness } from './gateway-harness';
import { StreamReader } from './stream-reader';

const noLimits: Rates = { requestsPerMinute: 0, submissionsPerMinute: 0, refusalsPerMinute: 0 };

describe('rate limits', () => {
  let gateway: KeyedGateway;
  let audit: AuditLog;
  const start = async (rates: Partial<Rates>): Promise<void> => {
    audit = new PlainAuditLog();
    // The clock of the limits stands still: a slow machine makes as many requests in a minute as a fast one.
    const limits = new MemoryRateLimits(() => 0);
    const options = { rates: { ...noLimits, ...rates } };
    gateway = await KeyedGateway.withKeys({}, { options, limits, audit: () => audit });
  };
  afterEach(async () => {
    await gateway.stop();
  });
  const statuses = async (
    count: number,
    url: string,
    headers: Record<string, string> = {},
  ): Promise<readonly number[]> => {
    const answers: number[] = [];
    for (let requests = 0; requests < count; requests += 1) answers.push((await gateway.get(url, headers)).status);
    return answers;
  };

  it('answer 429 with Retry-After on every route, only to that caller, and never to probes', async () => {
    await start({ requestsPerMinute: 3 });
    const [ada, bob] = [await gateway.key('ada', 'user'), await gateway.key('bob', 'user')];
    expect(await statuses(2, '/v1/sessions', ada)).toEqual([200, 200]);
    // Another key of hers counts as hers.
    expect(await statuses(2, '/v1/admin/status', await gateway.key('ada', 'user'))).toEqual([403, 429]);
    const refused = await gateway.get('/v1/sessions', ada);
    expect((refused.json() as ProblemDetails).code).toBe('request.too_many');
    expect(refused.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^(?:1?\d|20)$/) as unknown,
      'ratelimit-policy': '"requests";q=3;w=60',
      ratelimit: `"requests";r=0;t=${String(refused.headers['retry-after'])}`,
    });
    expect(await statuses(3, '/v1/me', bob)).toEqual([200, 200, 200]);
    expect(await statuses(9, '/health/live', ada)).not.toContain(429);
  });

  it('apply to an IP address that begins logins', async () => {
    await start({ refusalsPerMinute: 3 });
    const begun = await statuses(3, '/v1/login');
    expect(begun).not.toContain(429);
    expect(await statuses(1, '/v1/login')).toEqual([429]);
    expect(await statuses(1, '/v1/login/callback?code=x&state=y')).toEqual([429]);
    expect(await statuses(1, '/v1/me', await gateway.key('ada', 'user'))).toEqual([200]);
  });

  it('do not affect an open event stream', async () => {
    await start({ requestsPerMinute: 1 });
    const ada = await gateway.key('ada', 'user', { proposals: ['mx1'] });
    const url = await gateway.listen();
    const id = await gateway.session('mx1');
    const reader = await StreamReader.open(`${url}/v1/sessions/${id}/events`, ada);
    expect(await statuses(1, '/v1/me', ada)).toEqual([429]);
    // Before each sign of life the key is looked at again.
    await reader.until(({ frames }) => frames.filter(({ comment }) => comment !== undefined).length > 2);
    expect(reader.closed).toBe(false);
    reader.leave();
  });

  it('count submissions separately, and rows of a batch when they arrive', async () => {
    await start({ submissionsPerMinute: 4 });
    const ada = await gateway.key('ada', 'user', { proposals: ['mx1'] });
    const files = [gateway.file('a.sca')];
    const submit = async (): Promise<number> => (await gateway.submit({ files, proposal: 'mx1' }, ada)).status;
    expect(await submit()).toBe(201);
    const made = await gateway.send('POST', '/v1/batches', { body: { proposal: 'mx1', start: 'never' }, headers: ada });
    const { id } = made.json() as BatchView;
    const raw = 'files,title\na.sca,a\na.sca,b\na.sca,c\na.sca,d\n';
    const csv = { ...ada, 'content-type': 'text/csv' };
    const rows = (): ReturnType<GatewayHarness['send']> =>
      gateway.send('POST', `/v1/batches/${id}/rows`, { raw, headers: csv });
    expect((await rows()).status).toBe(200);
    expect([await submit(), (await rows()).status]).toEqual([429, 429]);
    expect((await gateway.get(`/v1/batches/${id}`, ada)).status).toBe(200);
    expect((await rows()).headers['ratelimit-policy']).toBe('"submissions";q=4;w=60');
  });

  it('limit rejected credentials by IP address, keep them out of the audit log, and still accept a valid key from there', async () => {
    await start({ refusalsPerMinute: 3 });
    const ada = await gateway.key('ada', 'user');
    const guesses = ['Bearer phx_', 'Basic YTpi', 'Bearer a.b.c', '', `Bearer phx_${'a'.repeat(16)}_${'b'.repeat(43)}`];
    const answers: number[] = [];
    for (const authorization of guesses)
      answers.push((await gateway.send('POST', '/v1/sessions', { body: {}, headers: { authorization } })).status);
    expect(answers).toEqual([401, 401, 401, 429, 429]);
    expect(await statuses(2, '/v1/me')).toEqual([429, 429]);
    expect(await statuses(2, '/v1/me', ada)).toEqual([200, 200]);
    expect((await audit.list({}, 100)).entries.filter(({ outcome }) => outcome === 'denied')).toHaveLength(3);
  });

  it('do not apply with open access', async () => {
    await start({ requestsPerMinute: 1, refusalsPerMinute: 1 });
    expect(await statuses(5, '/v1/sessions')).toEqual([200, 200, 200, 200, 200]);
  });
});
