import { connect } from 'node:net';
import { useStarted } from '@fleet/testing';
import { GatewayHarness, type JsonAnswer } from './gateway-harness';

const problemOf = (answer: JsonAnswer): Record<string, unknown> => {
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  const problem = answer.json() as Record<string, unknown>;
  expect(problem.status).toBe(answer.status);
  expect(problem.type).toBe(`urn:phenix-fleet:error:${String(problem.code)}`);
  expect(problem.requestId).toBe(answer.headers['x-request-id']);
  return problem;
};

/** What a socket gets for these bytes. */
const exchange = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    let received = '';
    socket.on('data', (data) => (received += data.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });

describe('errors', () => {
  const gateway = useStarted('file', () => GatewayHarness.start());

  it.each([
    ['an unknown address', 'GET', '/v2/nothing', undefined, {}, 404, 'route.not_found'],
    ['a method that the address has not', 'DELETE', '/v1/sessions', undefined, {}, 404, 'route.not_found'],
    ['a body that is not JSON', 'POST', '/v1/sessions', '{"files":', {}, 400, 'request.bad_json'],
    ['an empty JSON body', 'POST', '/v1/sessions', '', {}, 400, 'request.bad_json'],
    ['a prototype in the body', 'POST', '/v1/sessions', '{"__proto__":{"a":1}}', {}, 400, 'request.bad_json'],
    ['more than 1 MiB', 'POST', '/v1/sessions', `"${'x'.repeat(2 ** 20)}"`, {}, 413, 'request.too_large'],
    ['an id that is none', 'GET', '/v1/sessions/abc', undefined, {}, 404, 'session.not_found'],
    ['an id of no session', 'GET', '/v1/sessions/01jd7000000000000000000000', undefined, {}, 404, 'session.not_found'],
    ['a broken escape', 'GET', '/v1/sessions/%E0%A4%A', undefined, {}, 400, 'request.invalid'],
    ['a limit that is not a number', 'GET', '/v1/sessions?limit=ten', undefined, {}, 400, 'request.invalid'],
    ['an unknown parameter', 'GET', '/v1/sessions?stat=running', undefined, {}, 400, 'request.invalid'],
  ] as const)('answers %s with problem+json', async (...[, method, url, raw, headers, status, code]) => {
    const answer = await gateway.send(method, url, { ...(raw !== undefined && { raw }), headers });
    expect(problemOf(answer)).toMatchObject({ status, code });
  });

  it.each([
    ['application/xml', '<x/>'],
    ['application/x-www-form-urlencoded', 'a=b'],
    ['text/plain', '{}'],
  ])('answers a body of %s with problem+json', async (type, raw) => {
    const answer = await gateway.send('POST', '/v1/sessions', { raw, headers: { 'content-type': type } });
    expect(problemOf(answer)).toMatchObject({ status: 415, code: 'request.unsupported_media_type' });
  });

  it.each([
    ['POST', '/v1/sessions/01jd7000000000000000000000/cancel', { reason: 'beam time is over' }, 'reason'],
    ['POST', '/v1/admin/orphans/removal', { names: ['one-of-them'] }, 'names'],
    ['POST', '/v1/admin/orphans/removal?name=one-of-them', undefined, 'name'],
    ['POST', '/v1/recoveries', { dry_run: true }, 'dry_run'],
    ['POST', '/v1/recoveries', ['x'], 'body'],
    ['POST', '/v1/sessions?proposal=mx1', { files: [] }, 'proposal'],
    ['GET', '/v1/programs?backend=kubernetes', undefined, 'backend'],
    ['GET', '/v1/sessions/01jd7000000000000000000000?cycles=1', undefined, 'cycles'],
  ] as const)('refuses what it would not read: %s %s %j', async (...[method, url, body, field]) => {
    const answer = await gateway.send(method, url, { ...(body !== undefined && { body }) });
    expect(problemOf(answer)).toMatchObject({
      code: 'request.invalid',
      problems: [{ field, code: field === 'body' ? 'field.type' : 'field.unknown' }],
    });
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://elsewhere.example', host: 'fleet.example' }, 403],
    [{ origin: 'null', host: 'fleet.example' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://fleet.example', host: 'gateway:8080' }, 202],
    [{ 'sec-fetch-site': 'none' }, 202],
    [{ origin: 'https://fleet.example', host: 'fleet.example' }, 202],
    [{}, 202],
  ] as const)('lets a page of another origin change nothing: %j is %d', async (headers, status) => {
    const answer = await gateway.send('POST', '/v1/admin/orphans/removal', { headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(problemOf(answer)).toMatchObject({ code: 'request.foreign_page' });
    expect((await gateway.get('/v1/admin/orphans', headers)).status).toBe(200);
  });

  it.each([
    ['/v1/sessions', (deep: string) => deep],
    ['/v1/sessions', (deep: string) => `{"files":["/x"],"directives":{"constraints":${deep}}}`],
    ['/v1/sessions/01jd7000000000000000000000/resume', (deep: string) => `{"settings":${deep}}`],
    ['/v1/admin/launch', (deep: string) => `{"mode":${deep}}`],
  ])('refuses unbounded nesting at %s', async (url, bodyOf) => {
    const raw = bodyOf(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const answer = await gateway.send(url === '/v1/admin/launch' ? 'PUT' : 'POST', url, { raw });
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'request.invalid', problems: [{ field: 'body' }] });
  });

  it('accepts an empty object where no body is expected', async () => {
    expect((await gateway.send('POST', '/v1/recoveries', { body: {} })).status).toBe(200);
  });

  it('names every wrong parameter', async () => {
    const answer = await gateway.get('/v1/sessions?limit=0&status=done&proposal=a%2Fb&x=1');
    const { problems } = problemOf(answer) as { problems: { field: string }[] };
    expect(problems.map(({ field }) => field).sort()).toEqual(['limit', 'proposal', 'status', 'x']);
  });

  it('describes an invalid parameter like an invalid member of a body', async () => {
    const answer = await gateway.get('/v1/sessions?limit=many&statsu=running&cursor=1');
    expect((problemOf(answer) as { problems: object[] }).problems).toEqual([
      {
        field: 'statsu',
        code: 'field.unknown',
        reason: 'is not a parameter of this endpoint; did you mean "status"?',
        allowed:
          'status, outcome, proposal, beamline, batch, submitter, text, failure, ligand, spaceGroup, cell, cellTolerance, minResolution, maxResolution, minRFree, maxRFree, minCc, maxCc, program, since, until, sort, limit, cursor',
      },
      {
        field: 'limit',
        code: 'field.type',
        reason: 'must be a whole number from 1 to 500, not "many"',
        allowed: 'a whole number from 1 to 500',
      },
      {
        field: 'cursor',
        code: 'field.value',
        reason: '"1" is not allowed',
        allowed: 'a nextCursor of an earlier answer with the same sort',
      },
    ]);
  });

  it('sets security headers on answers and errors alike', async () => {
    for (const url of ['/v1/ping', '/nothing']) {
      expect((await gateway.get(url)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      });
    }
  });

  it('keeps a request id that is harmless and replaces any other', async () => {
    expect((await gateway.get('/v1/ping', { 'x-request-id': 'abc-1' })).headers['x-request-id']).toBe('abc-1');
    expect((await gateway.get('/v1/ping', { 'x-request-id': 'a b\n' })).headers['x-request-id']).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  });
});

describe('a listening gateway', () => {
  const gateway = useStarted('test', () => GatewayHarness.start());

  it('survives bytes that are not HTTP', async () => {
    const url = await gateway.listen();
    const answer = await exchange(url, 'nonsense\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('content-type: application/problem+json');
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ status: 400, code: 'request.rejected' });
    expect((await fetch(`${url}/v1/ping`)).status).toBe(200);
  });

  it('answers oversized headers with a problem document', async () => {
    const answer = await exchange(await gateway.listen(), `GET /v1/ping HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('content-type: application/problem+json');
    const requestId = /^x-request-id: (\S{36})$/m.exec(answer)?.[1];
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      code: 'request.headers_too_large',
      requestId,
    });
    expect(requestId).toBeDefined();
  });

  it('times out a request that arrives byte by byte, with a problem document', async () => {
    const url = await gateway.listen();
    const server = gateway.app.getHttpServer();
    expect([server.requestTimeout > 0, server.requestTimeout <= 120_000]).toEqual([true, true]);
    // Node checks for late requests twice a minute. The test emits the same error on the server.
    server.once('request', ({ socket }) => {
      server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    });
    const head =
      'POST /v1/sessions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n';
    const answer = await exchange(url, `${head}{`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ status: 408, code: 'request.timeout' });
  });
});
