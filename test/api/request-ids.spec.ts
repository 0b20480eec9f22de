import { Logger } from '@nestjs/common';
import { Fault } from '@fleet/contracts/faults';
import { MemoryRateLimits } from '@fleet/redis';
import { useStarted } from '@fleet/testing';
import { KeyedGateway } from './keyed-gateway';
import type { JsonAnswer, Sent } from './harness-options';

interface RequestCase extends Sent {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly as?: 'user' | 'nobody';
}

describe('the id of a request', () => {
  const gateway = useStarted('file', () => KeyedGateway.withKeys({ ada: ['mx1'] }));
  let own = '';
  let key: Record<string, string> = {};
  beforeAll(async () => {
    own = await gateway.session('mx1');
    key = await gateway.key('ada', 'user');
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const ask = ({ method = 'GET', url, as = 'user', headers = {}, ...sent }: RequestCase): Promise<JsonAnswer> => {
    const sentHeaders = { 'x-request-id': 'shift-7.a', 'content-type': 'application/json', ...headers };
    return gateway.send(method, url.replace('OWN', own), {
      headers: as === 'nobody' ? sentHeaders : { ...key, ...sentHeaders },
      ...sent,
    });
  };

  it.each<[number, string, RequestCase]>([
    [401, 'access.no_credentials', { url: '/v1/sessions', as: 'nobody' }],
    [403, 'access.denied', { url: '/v1/admin/status' }],
    [409, 'session.not_ended', { method: 'POST', url: '/v1/sessions/OWN/resume', body: {} }],
    [
      412,
      'session.changed',
      { method: 'POST', url: '/v1/sessions/OWN/resume', body: {}, headers: { 'if-match': '"1"' } },
    ],
    [421, 'request.foreign_host', { url: '/v1/sessions', headers: { host: 'elsewhere.example' } }],
    [422, 'submission.invalid', { method: 'POST', url: '/v1/sessions', body: { files: [] } }],
    [428, 'advice.no_precondition', { method: 'PUT', url: '/v1/sessions/OWN/advice', body: { advice: 'stop' } }],
  ])('is in the answer %d %s', async (...[status, code, asked]) => {
    const answer = await ask(asked);
    expect([answer.status, answer.headers['x-request-id'], answer.json()]).toEqual([
      status,
      'shift-7.a',
      expect.objectContaining({ status, code, requestId: 'shift-7.a' }),
    ]);
  });

  it.each([
    [500, 'service.error', 'error', new TypeError('secret at /home/somebody/file.ts:3')],
    [503, 'store.unreachable', 'warn', new Fault('store.unreachable', 'transient', 'connect ECONNREFUSED 10.0.0.1')],
    [503, 'storage.unavailable', 'error', new Fault('storage.read_only', 'transient', 'EROFS: /work')],
  ] as const)('leads from the answer %d %s to the log', async (...[status, code, level, error]) => {
    const log = jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
    jest.spyOn(gateway.store.records, 'loadHead').mockRejectedValue(error);
    const answer = await ask({ url: '/v1/sessions/OWN/status' });
    expect(answer.json()).toMatchObject({ status, code, requestId: 'shift-7.a' });
    expect(answer.text).not.toMatch(/secret|\.ts|10\.0\.0\.1|EROFS/);
    expect(answer.headers['retry-after'] !== undefined).toBe(status === 503);
    expect(log.mock.calls.map(([said]) => said as unknown)).toContainEqual(
      expect.objectContaining({ requestId: 'shift-7.a', code, request: `GET /v1/sessions/${own}/status` }),
    );
  });
});

it('the id of a request is in the answer 429', async () => {
  const rates = { requestsPerMinute: 1, submissionsPerMinute: 0, refusalsPerMinute: 0 };
  const limits = new MemoryRateLimits(() => 0);
  const gateway = await KeyedGateway.withKeys({}, { options: { rates }, limits });
  const headers = { 'x-request-id': 'shift-7.a', ...(await gateway.key('ada', 'user')) };
  await gateway.get('/v1/sessions', headers);
  expect((await gateway.get('/v1/sessions', headers)).json()).toMatchObject({ status: 429, requestId: 'shift-7.a' });
  await gateway.stop();
});
