import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import Ajv2020 from 'ajv/dist/2020';
import type { JsonValue } from '@fleet/contracts/sessions';
import { buildTransport, type DecideResponse, type Transport } from '@fleet/decision-api';
import { projectRules } from '@fleet/testing';
import { createGateway } from '../../apps/gateway/src/create-gateway';
import { DECISION_DESK } from '../../apps/gateway/src/routes/decisions/decisions.controller';
import { decisionApiOf } from '../../apps/gateway/src/routes/decisions/decision-api-of';
import { decisionsAlone } from './decisions-alone';

const aRequest = { api_version: '2.0', files: ['/home/me/data.mtz', '/home/me/seq.fa'], cycle_number: 1 };

describe('POST /api/v2/decide', () => {
  let app: NestFastifyApplication;
  let transport: Transport;
  beforeAll(async () => {
    const ruleBook = projectRules();
    transport = buildTransport(ruleBook.transport);
    const decisions = decisionApiOf(ruleBook);
    const desk = {
      answer: (document: unknown) => decisions.answer(document),
      answerEncoded: (encoded: string) => decisions.answerEncoded(encoded),
    };
    const api = { provide: DECISION_DESK, useFactory: () => desk };
    const server = { maxBodyBytes: 100_000, logger: false as const, drainMs: 1000 };
    app = await createGateway(decisionsAlone(api), server);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  });
  afterAll(async () => {
    await app.close();
  });

  const post = async (payload: string): Promise<{ readonly status: number; readonly body: unknown }> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'POST', url: '/api/v2/decide', headers, payload });
    return { status: answer.statusCode, body: JSON.parse(answer.payload) as unknown };
  };

  it('answers the first request of a session with xtriage', async () => {
    const { status, body } = await post(JSON.stringify(aRequest));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      api_version: '2.0',
      decision: { program: 'phenix.xtriage', confidence: 'high' },
      stop: false,
      stop_reason: null,
      metadata: { experiment_type: 'xray', workflow_state: 'xray_initial', red_flags: [] },
      error: null,
    });
    expect((body as DecideResponse).decision.command).toMatch(/^phenix\.xtriage \/home\/me\/data\.mtz /);
  });

  it('is documented by the schemas that parse its requests', async () => {
    const { payload } = await app.inject({ method: 'GET', url: '/docs-json' });
    const document = JSON.parse(payload) as {
      openapi: string;
      paths: Record<string, { post: { requestBody: unknown; responses: Record<string, unknown> } }>;
    };
    expect(document.openapi).toBe('3.1.0');
    const described = document.paths['/api/v2/decide']?.post;
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema({ $id: 'api', ...document });
    const pointer = (part: unknown): string => /"(#[^"]+)"/.exec(JSON.stringify(part))?.[1] ?? '';
    const conforms = (part: unknown, value: unknown): unknown => ajv.getSchema(`api${pointer(part)}`)?.(value);
    const encoded = { encoded_request: transport.encode(aRequest) };
    for (const body of [aRequest, encoded, { ...aRequest, api_version: '1.0' }]) {
      const { status, body: answer } = await post(JSON.stringify(body));
      expect(conforms(described?.requestBody, body)).toBe(status === 200);
      expect(conforms(described?.responses[String(status)], answer)).toBe(true);
    }
    expect(conforms(described?.responses['200'], {})).toBe(false);
  });

  it('answers an encoded request with an encoded answer', async () => {
    const { status, body } = await post(JSON.stringify({ encoded_request: transport.encode(aRequest) }));
    const { encoded_response } = body as { encoded_response: string };
    expect(status).toBe(200);
    expect(encoded_response).toMatch(/^ZZLBZZZZDQZZapi_versionZZDQZZ:/);
    expect(transport.decode(encoded_response)).toMatchObject({ decision: { program: 'phenix.xtriage' }, error: null });
  });

  it.each<[string, JsonValue, string, RegExp]>([
    ['a wrong version', { ...aRequest, api_version: '1.0' }, 'api_version', /"2\.0"/],
    ['no version', { files: [], cycle_number: 1 }, 'api_version', /required/],
    ['no files', { api_version: '2.0', cycle_number: 1 }, 'files', /required/],
    ['files that are not a list', { ...aRequest, files: 'data.mtz' }, 'files', /list/],
    ['a file that is not a path', { ...aRequest, files: [7] }, 'files[0]', /path/],
    ['a cycle that is not a number', { ...aRequest, cycle_number: '1' }, 'cycle_number', /whole number/],
    ['a cycle before the first', { ...aRequest, cycle_number: 0 }, 'cycle_number', /from 1/],
    ['a history without programs', { ...aRequest, history: [{ cycle: 1 }] }, 'history[0].program', /required/],
    [
      'an unknown experiment',
      { ...aRequest, session_state: { experiment_type: 'nmr' } },
      'session_state.experiment_type',
      /xray/,
    ],
    [
      'a negative resolution',
      { ...aRequest, session_state: { resolution: -1 } },
      'session_state.resolution',
      /above 0/,
    ],
    ['a list', [aRequest], 'request', /object/],
  ])('refuses %s, naming the field and the allowed values', async (_, request, field, allowed) => {
    const { status, body } = await post(JSON.stringify(request));
    const response = body as DecideResponse;
    expect([status, response.stop, response.stop_reason, response.decision.program]).toEqual([
      400,
      true,
      'error',
      'STOP',
    ]);
    expect(response.error).toContain(field);
    expect(response.problems).toEqual([
      { field, reason: expect.any(String) as string, allowed: expect.stringMatching(allowed) as string },
    ]);
  });

  it('reports every problem at once', async () => {
    const { body } = await post(
      JSON.stringify({ api_version: 2, files: [1], cycle_number: null, settings: { max_cycles: 0 } }),
    );
    expect((body as DecideResponse).problems.map(({ field }) => field)).toEqual([
      'api_version',
      'files[0]',
      'cycle_number',
      'settings.max_cycles',
    ]);
  });

  it('reports problems to an encoded client in encoded form', async () => {
    const { status, body } = await post(JSON.stringify({ encoded_request: transport.encode({ api_version: '3' }) }));
    const response = transport.decode((body as { encoded_response: string }).encoded_response);
    expect([status, (response as unknown as DecideResponse).error]).toEqual([
      400,
      expect.stringContaining('api_version'),
    ]);
    expect((await post(JSON.stringify({ encoded_request: 'hello' }))).status).toBe(400);
  });

  it('ignores unused fields and names them', async () => {
    const { status, body } = await post(
      JSON.stringify({ ...aRequest, colour: 'red', session_state: { plan: [] }, settings: { use_rules_only: true } }),
    );
    expect(status).toBe(200);
    expect((body as DecideResponse).debug.log.slice(0, 2)).toEqual([
      'REQUEST: ignored field colour',
      'REQUEST: ignored field session_state.plan',
    ]);
  });

  it.each<[string, number]>([
    ['{', 400],
    [`{"log_content": "${'x'.repeat(100_001)}"}`, 413],
  ])('never fails on an unreadable body', async (payload, expected) => {
    expect((await post(payload)).status).toBe(expected);
  });
});
