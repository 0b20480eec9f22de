import { ApiClient } from './api-client';
import type { ApiRequest } from './api-client';
import { isApiError } from './api-error';

/** A client whose gateway returns these responses, and the requests that it received. */
const answering = (...answers: readonly Response[]): { readonly api: ApiClient; readonly requests: ApiRequest[] } => {
  const requests: ApiRequest[] = [];
  const api = new ApiClient((request) => {
    requests.push(request);
    const answer = answers[requests.length - 1];
    return answer === undefined ? Promise.reject(new Error('requested too often')) : Promise.resolve(answer);
  });
  return { api, requests };
};

const refused = async (answer: Response): Promise<unknown> => {
  const { api } = answering(answer);
  return api.json('GET /v1/me').catch((error: unknown) => error);
};

describe('a call of an operation', () => {
  it('puts parameters into the URL, encoded, and leaves out undefined ones', async () => {
    const { api, requests } = answering(Response.json({}), Response.json({}));
    await api.json('GET /v1/sessions/{id}', { path: { id: 'a/../b?c' } });
    await api.json('GET /v1/sessions', { query: { limit: 5, text: 'a&b', proposal: undefined } });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/sessions/a%2F..%2Fb%3Fc',
      'GET /v1/sessions?limit=5&text=a%26b',
    ]);
  });

  it('sends a JSON body, or one as it is', async () => {
    const { api, requests } = answering(Response.json({}), Response.json({}), Response.json({}));
    await api.json('POST /v1/sessions', { body: { files: ['/x'] } }, { headers: { 'idempotency-key': 'k' } });
    await api.json('POST /v1/batches/{id}/rows', { path: { id: 'b' }, raw: { type: 'text/csv', content: 'files\n' } });
    await api.json('POST /v1/batches/{id}/pause', { path: { id: 'b' } });
    const accept = 'application/json';
    expect(requests.map(({ headers, body }) => [headers, body])).toEqual([
      [{ 'content-type': 'application/json', accept, 'idempotency-key': 'k' }, '{"files":["/x"]}'],
      [{ 'content-type': 'text/csv', accept }, 'files\n'],
      [{ accept }, undefined],
    ]);
  });

  it('returns text, or the response itself if it is read as a stream', async () => {
    const { api } = answering(new Response('a,b\n'), new Response(null, { status: 304 }), new Response('file'));
    const path = { id: 'b' };
    expect(await api.text('GET /v1/batches/{id}/results.csv', { path, query: { sort: 'fit' } })).toBe('a,b\n');
    expect((await api.open('GET /v1/batches/{id}', { path })).status).toBe(304);
    expect(await (await api.follow('/v1/sessions/s/files/1/a.pdb')).text()).toBe('file');
  });

  it("throws one error for every error response, with the gateway's message", async () => {
    const problem = {
      title: 'No',
      code: 'submission.invalid',
      detail: 'Two things.',
      problems: [{ field: 'files', reason: 'none' }],
    };
    const error = await refused(Response.json(problem, { status: 422 }));
    expect(isApiError(error) && [error.status, error.message, error.problem]).toEqual([
      422,
      'Two things. files: none',
      problem,
    ]);
  });

  it.each([
    ['a page', new Response('<html>', { status: 502, statusText: 'Bad Gateway' }), [502, '502 Bad Gateway']],
    ['other JSON', Response.json({ error: '?' }, { status: 404, statusText: 'Not Found' }), [404, '404 Not Found']],
    ['no JSON where there should be some', new Response('hello', { statusText: 'OK' }), [200, '200 OK']],
  ])('reports that %s responded', async (_, answer, said) => {
    const error = await refused(answer);
    expect(isApiError(error) && [error.status, error.message, error.problem]).toEqual([...said, undefined]);
  });

  it('is checked by the compiler', () => {
    const { api } = answering();
    // Each of these has an error that the compiler must find.
    const mistakes = [
      // @ts-expect-error there is no such address
      () => api.json('GET /v1/session'),
      // @ts-expect-error the id is missing
      () => api.json('GET /v1/sessions/{id}'),
      // @ts-expect-error no such order
      () => api.json('GET /v1/sessions', { query: { sort: 'best' } }),
      // @ts-expect-error no such setting
      () => api.json('POST /v1/sessions', { body: { settings: { max_cycels: 3 } } }),
      // @ts-expect-error it answers with text
      () => api.json('GET /v1/sessions/{id}/summary', { path: { id: 's' } }),
    ];
    expect(mistakes).toHaveLength(5);
  });
});
