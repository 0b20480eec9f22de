import { Logger } from '@nestjs/common';
import { Fault } from '@fleet/contracts/faults';
import type { ProblemDetails } from '@fleet/contracts/sessions';
import { MemoryRateLimits } from '@fleet/redis';
import { KeyedGateway } from './keyed-gateway';
import type { GatewayHarness, JsonAnswer } from './gateway-harness';
import type { Sent } from './harness-options';

interface RequestCase extends Sent {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly as?: 'user' | 'nobody';
}

describe('the id of a request', () => {
  let keyed: KeyedGateway;
  let gateway: GatewayHarness;
  let own = '';
  const start = async (requestsPerMinute = 0): Promise<void> => {
    const rates = { requestsPerMinute, submissionsPerMinute: 0, refusalsPerMinute: 0 };
    keyed = await KeyedGateway.start({ ada: ['mx1'] }, { options: { rates }, limits: new MemoryRateLimits(() => 0) });
    gateway = keyed.gateway;
    own = await keyed.session('mx1');
  };
  afterEach(async () => {
    jest.restoreAllMocks();
    await gateway.stop();
  });

  const ask = async ({ method = 'GET', url, as = 'user', headers = {}, ...sent }: RequestCase): Promise<JsonAnswer> => {
    const known = await keyed.key('ada', 'user');
    const key = as === 'nobody' ? {} : known;
    const sentHeaders = { 'x-request-id': 'shift-7.a', 'content-type': 'application/json', ...key, ...headers };
    return gateway.send(method, url.replace('OWN', own), { headers: sentHeaders, ...sent });
  };

  it.each<[number, string, RequestCase]>([
    [400, 'request.invalid', { url: '/v1/sessions?limit=ten' }],
    [400, 'request.invalid', { url: '/v1/sessions/%E0%A4%A' }],
    [400, 'request.bad_json', { method: 'POST', url: '/v1/sessions', raw: '{' }],
    [401, 'access.no_credentials', { url: '/v1/sessions', as: 'nobody' }],
    [403, 'access.denied', { url: '/v1/admin/status' }],
    [
      403,
      'request.foreign_page',
      { method: 'POST', url: '/v1/sessions', body: {}, headers: { 'sec-fetch-site': 'same-site' } },
    ],
    [404, 'route.not_found', { url: '/v2/nothing' }],
    [404, 'session.not_found', { url: '/v1/sessions/01jd7000000000000000000000' }],
    [409, 'session.not_ended', { method: 'POST', url: '/v1/sessions/OWN/resume', body: {} }],
    [
      412,
      'session.changed',
      { method: 'POST', url: '/v1/sessions/OWN/resume', body: {}, headers: { 'if-match': '"1"' } },
    ],
    [413, 'request.too_large', { method: 'POST', url: '/v1/sessions', raw: `"${'x'.repeat(2 ** 20)}"` }],
    [
      415,
      'request.unsupported_media_type',
      { method: 'POST', url: '/v1/sessions', raw: 'a', headers: { 'content-type': 'text/plain' } },
    ],
    [421, 'request.foreign_host', { url: '/v1/sessions', headers: { host: 'elsewhere.example' } }],
    [422, 'submission.invalid', { method: 'POST', url: '/v1/sessions', body: { files: [] } }],
    [428, 'advice.no_precondition', { method: 'PUT', url: '/v1/sessions/OWN/advice', body: { advice: 'stop' } }],
  ])('is in the answer %d %s', async (...[status, code, asked]) => {
    await start();
    const answer = await ask(asked);
    expect([answer.status, answer.headers['x-request-id'], answer.json()]).toEqual([
      status,
      'shift-7.a',
      expect.objectContaining({ status, code, requestId: 'shift-7.a' }),
    ]);
  });

  it('is in the answer 429', async () => {
    await start(1);
    await ask({ url: '/v1/sessions' });
    expect((await ask({ url: '/v1/sessions' })).json()).toMatchObject({ status: 429, requestId: 'shift-7.a' });
  });

  it('is generated when the request has none', async () => {
    await start();
    const answer = await ask({ url: '/v2/nothing', headers: { 'x-request-id': 'a b' } });
    const { requestId } = answer.json() as ProblemDetails;
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['x-request-id']).toBe(requestId);
  });

  it.each([
    [500, 'service.error', 'error', new TypeError('a mistake')],
    [503, 'store.unreachable', 'warn', new Fault('store.unreachable', 'transient', 'connect ECONNREFUSED 10.0.0.1')],
    [503, 'storage.unavailable', 'error', new Fault('storage.read_only', 'transient', 'EROFS: /work')],
  ] as const)('leads from the answer %d %s to the log', async (...[status, code, level, error]) => {
    await start();
    const log = jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
    jest.spyOn(gateway.store.records, 'loadHead').mockRejectedValue(error);
    const answer = await ask({ url: '/v1/sessions/OWN/status' });
    expect(answer.json()).toMatchObject({ status, code, requestId: 'shift-7.a' });
    expect(log.mock.calls.map(([said]) => said as unknown)).toContainEqual(
      expect.objectContaining({ requestId: 'shift-7.a', code, request: `GET /v1/sessions/${own}/status` }),
    );
  });
});
