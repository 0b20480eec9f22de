import { Webhook as Signer } from 'standardwebhooks';
import type { NewApiKey, ProblemDetails, SessionPage, SessionView } from '@fleet/contracts';
import type { Rates } from '../../apps/gateway/src/gateway-options';
import { MemoryRateLimits } from '@fleet/redis';
import { PlainAuditLog } from './audit-log.fake';
import { Door } from './door-harness';
import type { GatewayHarness, JsonAnswer } from './gateway-harness';

interface Message {
  readonly id?: string;
  /** Seconds from now. */
  readonly ahead?: number;
  /** What is signed, where it is not what is sent. */
  readonly signed?: string;
}

describe('a program that signs what it submits', () => {
  let door: Door;
  let gateway: GatewayHarness;
  let admin: Record<string, string>;
  let audit: PlainAuditLog;
  beforeEach(async () => {
    audit = new PlainAuditLog();
    const rates: Rates = { requestsPerMinute: 0, submissionsPerMinute: 0, refusalsPerMinute: 20 };
    const limits = new MemoryRateLimits(() => 0);
    door = await Door.start({}, { audit: () => audit, limits, options: { rates } }, { mx1: ['i04'] });
    gateway = door.gateway;
    admin = await door.key('root', 'admin');
  });
  afterEach(() => gateway.stop());

  const makeKey = async (more: object = {}): Promise<NewApiKey> => {
    const body = { owner: 'daq', role: 'service', beamlines: ['i04'], ...more };
    return (await gateway.send('POST', '/v1/admin/keys', { body, headers: admin })).json() as NewApiKey;
  };
  const headersOf = (secret: string, text: string, { id = 'msg_1', ahead = 0, signed = text }: Message = {}) => {
    const at = new Date(Date.now() + ahead * 1000);
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Signer(secret).sign(id, at, signed),
    };
  };
  const post = (key: string, raw: string, headers: Record<string, string>): Promise<JsonAnswer> =>
    gateway.send('POST', `/v1/triggers/${key}`, { raw, headers });
  const aDataset = (more: object = {}): string =>
    JSON.stringify({
      files: [gateway.file('a.sca')],
      proposal: 'mx1',
      beamline: 'i04',
      title: 'Kristall Ø 7',
      ...more,
    });
  const sessions = async (): Promise<number> =>
    ((await gateway.get('/v1/sessions', admin)).json() as SessionPage).sessions.length;
  const codeOf = (answer: JsonAnswer): readonly unknown[] => [answer.status, (answer.json() as ProblemDetails).code];

  it('is given a secret once, and starts one session a message as the owner of its key', async () => {
    const { record, signingSecret = '' } = await makeKey();
    // Signed as it was sent, and not as it reads.
    const text = aDataset().replaceAll('","', '" ,\n"');
    const first = await post(record.id, text, headersOf(signingSecret, text));
    expect([first.status, (first.json() as SessionView).request]).toMatchObject([
      201,
      { submitter: 'daq', title: 'Kristall Ø 7', proposal: 'mx1' },
    ]);
    const again = await post(record.id, text, headersOf(signingSecret, text, { ahead: -200 }));
    expect([(again.json() as SessionView).id, again.headers['idempotency-replayed']]).toEqual([
      (first.json() as SessionView).id,
      'true',
    ]);
    const other = aDataset({ title: 'another' });
    expect(codeOf(await post(record.id, other, headersOf(signingSecret, other)))).toEqual([
      409,
      'idempotency.conflict',
    ]);
    expect((await post(record.id, other, headersOf(signingSecret, other, { id: 'msg_2' }))).status).toBe(201);
    expect(await sessions()).toBe(2);
    expect(JSON.stringify((await gateway.get('/v1/admin/keys', admin)).json())).not.toContain('whsec_');
    const [last] = (await audit.list({ action: 'session.submit' }, 1)).entries;
    expect(last).toMatchObject({ who: 'daq', action: 'session.submit', outcome: 'done' });
  });

  it('is believed under every key of the installation, also beside signatures that are not known', async () => {
    const { record } = await makeKey();
    const old = `whsec_${Buffer.from(`old ${record.id}`).toString('base64')}`;
    const text = aDataset();
    const headers = headersOf(old, text);
    const several = `v1a,abc v1,${'A'.repeat(43)}= ${headers['webhook-signature']}`;
    expect((await post(record.id, text, { ...headers, 'webhook-signature': several })).status).toBe(201);
  });

  it.each<[string, string, (secret: string, text: string) => Record<string, string>]>([
    ['another body', 'not that of this key', (secret, text) => headersOf(secret, text, { signed: `${text} ` })],
    ['another secret', 'not that of this key', (_, text) => headersOf(`whsec_${'A'.repeat(32)}`, text)],
    ['a late message', '301 s old|302 s old|303 s old', (secret, text) => headersOf(secret, text, { ahead: -301 })],
    ['a clock that is ahead', 's ahead', (secret, text) => headersOf(secret, text, { ahead: 320 })],
    ['no id', 'webhook-id', (secret, text) => ({ ...headersOf(secret, text), 'webhook-id': '' })],
    ['an id with a blank', 'webhook-id', (secret, text) => headersOf(secret, text, { id: 'a b' })],
    [
      'a time in words',
      'webhook-timestamp',
      (secret, text) => ({ ...headersOf(secret, text), 'webhook-timestamp': 'now' }),
    ],
    ['no signature', 'webhook-signature', (secret, text) => ({ ...headersOf(secret, text), 'webhook-signature': '' })],
    [
      'an unknown version',
      'webhook-signature',
      (secret, text) => ({ ...headersOf(secret, text), 'webhook-signature': 'v2,AAAA' }),
    ],
    ['a key instead', 'webhook-id', () => admin],
  ])('is refused with %s, and nothing is started', async (_, why, headers) => {
    const { record, signingSecret = '' } = await makeKey();
    const text = aDataset();
    const refused = await post(record.id, text, headers(signingSecret, text));
    expect(codeOf(refused)).toEqual([401, 'access.bad_credentials']);
    expect((refused.json() as ProblemDetails).detail).toMatch(new RegExp(why));
    expect(await sessions()).toBe(0);
    const [last] = (await audit.list({ action: 'session.submit' }, 1)).entries;
    expect(last).toMatchObject({ outcome: 'denied', action: 'session.submit' });
  });

  it('is refused where its key opens nothing any more, is not of a service, or was made for something else', async () => {
    const text = aDataset();
    const signed = (key: string): Promise<JsonAnswer> =>
      post(key, text, headersOf(`whsec_${Buffer.from(`new ${key}`).toString('base64')}`, text));
    const revoked = (await makeKey()).record.id;
    await gateway.send('POST', `/v1/admin/keys/${revoked}/revocation`, { headers: admin });
    const user = await makeKey({ role: 'user', beamlines: [], proposals: ['mx1'] });
    expect(user).not.toHaveProperty('signingSecret');
    const reader = (await makeKey({ scopes: ['read'] })).record.id;
    expect(codeOf(await signed(revoked))).toEqual([401, 'access.bad_credentials']);
    expect(codeOf(await signed(user.record.id))).toEqual([401, 'access.bad_credentials']);
    expect(codeOf(await signed('0000000000000000'))).toEqual([401, 'access.bad_credentials']);
    expect(codeOf(await signed(reader))).toEqual([403, 'access.denied']);
    expect(await sessions()).toBe(0);
  });

  it('submits to no other proposal, and hears all that is wrong', async () => {
    const { record, signingSecret = '' } = await makeKey();
    const send = (text: string): Promise<JsonAnswer> => post(record.id, text, headersOf(signingSecret, text));
    expect(codeOf(await send(aDataset({ proposal: 'mx2' })))).toEqual([403, 'access.denied']);
    expect(codeOf(await send(aDataset({ files: ['/etc/passwd'], colour: 'red' })))).toEqual([
      422,
      'submission.invalid',
    ]);
    expect(codeOf(await send('{'))).toEqual([400, 'request.bad_json']);
    expect(await sessions()).toBe(0);
  });

  it('is told to come later by an address that tries again and again', async () => {
    const answers: number[] = [];
    for (let tried = 0; tried < 21; tried += 1)
      answers.push((await post('0000000000000000', '{}', headersOf(`whsec_${'A'.repeat(32)}`, '{}'))).status);
    expect([answers.slice(0, 20).every((status) => status === 401), answers[20]]).toEqual([true, 429]);
  });
});
