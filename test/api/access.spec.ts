import type { ApiKeysView, NewApiKey } from '@fleet/contracts/access';
import type { BatchPage, BatchView } from '@fleet/contracts/batches';
import type { ProblemDetails, SessionPage, SessionView } from '@fleet/contracts/sessions';
import { anId, useStarted } from '@fleet/testing';
import { newKeyText } from '@fleet/keys';
import { BatchClient } from './batch-client';
import { at, KeyedGateway } from './keyed-gateway';
import { someReflections, type JsonAnswer } from './gateway-harness';

const codeOf = (answer: JsonAnswer): readonly unknown[] => [answer.status, (answer.json() as ProblemDetails).code];

describe('API access control', () => {
  const gateway = useStarted('test', () => KeyedGateway.withKeys({ bob: ['mx9'] }));

  it('is open until the first key is created, and closed afterwards', async () => {
    expect((await gateway.get('/v1/me')).json()).toMatchObject({ id: '', role: 'admin' });
    const body = { owner: 'root', role: 'admin' };
    const made = await gateway.send('POST', '/v1/admin/keys', { body: body });
    const { key } = made.json() as NewApiKey;
    expect(made.status).toBe(201);
    expect(codeOf(await gateway.get('/v1/sessions'))).toEqual([401, 'access.no_credentials']);
    expect((await gateway.get('/v1/me', { authorization: `Bearer ${key}` })).json()).toMatchObject({ id: 'root' });
    expect((await gateway.get('/health/live')).status).toBe(200);
  });

  it('refuses a first key that would lock out the administrator', async () => {
    const answer = await gateway.send('POST', '/v1/admin/keys', { body: { owner: 'ada', role: 'user' } });
    expect(answer.json()).toMatchObject({ problems: [{ field: 'role', allowed: 'admin' }] });
    expect((await gateway.get('/v1/sessions')).status).toBe(200);
  });

  it('shows a key once, and never shows the key or its hash again', async () => {
    const admin = await gateway.key('root', 'admin');
    const body = { owner: 'ada', role: 'user', proposals: ['mx1'], label: 'laptop', expires_in_days: 30 };
    const made = await gateway.send('POST', '/v1/admin/keys', { body, headers: admin });
    const { key, record } = made.json() as NewApiKey;
    expect(made.headers['cache-control']).toBe('no-store');
    expect(record).toMatchObject({ owner: 'ada', createdBy: 'root', scopes: ['read', 'decide', 'submit', 'change'] });
    await gateway.get('/v1/me', { authorization: `Bearer ${key}` });
    const listed = await gateway.get('/v1/admin/keys', admin);
    expect(listed.text).not.toContain(key);
    expect(listed.text).not.toContain('hash');
    const [, ofAda] = (listed.json() as ApiKeysView).keys;
    expect(ofAda).toMatchObject({ id: record.id, label: 'laptop', lastUsedAt: expect.any(String) as string });
    expect(JSON.stringify(await gateway.store.keys.list())).not.toContain(key);
  });

  it.each([
    ['nothing', 'Bearer'],
    ['no key', 'Bearer x'],
    ['another scheme', 'Basic YWRhOmFkYQ=='],
    ['a key that was never made', `Bearer ${newKeyText().text}`],
    ['two keys', `Bearer ${newKeyText().text} ${newKeyText().text}`],
    ['a token without a signature', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.'],
  ])('rejects %s, also with open access', async (_, authorization) => {
    expect(codeOf(await gateway.get('/v1/sessions', { authorization }))).toEqual([401, 'access.bad_credentials']);
    await gateway.key('root', 'admin');
    const answer = await gateway.get('/v1/sessions', { authorization });
    expect(codeOf(answer)).toEqual([401, 'access.bad_credentials']);
    expect(answer.headers['www-authenticate']).toContain('Bearer');
  });

  it('rejects an expired key, a revoked key and a key with a wrong secret', async () => {
    const admin = await gateway.key('root', 'admin');
    const expired = await gateway.key('ada', 'user', { expiresAt: at(-1) });
    expect((await gateway.get('/v1/me', expired)).text).toContain('expired on');
    const ada = await gateway.key('ada', 'user');
    expect((await gateway.get('/v1/me', ada)).status).toBe(200);
    const id = ada.authorization?.slice(11, 27) ?? '';
    const other = newKeyText().text.slice(20);
    expect((await gateway.get('/v1/me', { authorization: `Bearer phx_${id}${other}` })).status).toBe(401);
    const revocation = await gateway.send('POST', `/v1/admin/keys/${id}/revocation`, { headers: admin });
    expect(revocation.json()).toMatchObject({ id, revokedBy: 'root' });
    const refused = await gateway.get('/v1/me', ada);
    expect([refused.status, refused.text.includes('was revoked on')]).toEqual([401, true]);
    expect((await gateway.send('POST', '/v1/admin/keys/nothing/revocation', { headers: admin })).status).toBe(404);
  });

  it('lists only accessible sessions, page by page', async () => {
    const ids: string[] = [];
    for (const [proposal, beamline] of [
      ['mx1', ''],
      ['mx2', 'i04'],
      ['mx3', 'i03'],
      ['mx1', 'i04'],
      ['mx9', ''],
    ] as const)
      ids.push(await gateway.session(proposal, beamline));
    const seenBy = async (headers: Record<string, string>, query = ''): Promise<readonly number[]> => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const answer = await gateway.get(
          `/v1/sessions?limit=1${query}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
          headers,
        );
        const page = answer.json() as SessionPage;
        seen.push(...page.sessions.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return seen.map((id) => ids.indexOf(id)).sort();
    };
    expect(await seenBy(await gateway.key('root', 'admin'))).toEqual([0, 1, 2, 3, 4]);
    expect(await seenBy(await gateway.key('ada', 'user', { proposals: ['mx1', 'mx3'] }))).toEqual([0, 2, 3]);
    const staff = await gateway.key('eve', 'staff', { proposals: ['mx1'], beamlines: ['i04'] });
    expect(await seenBy(staff)).toEqual([0, 1, 3]);
    expect(await seenBy(staff, '&proposal=mx2')).toEqual([1]);
    expect(await seenBy(staff, '&proposal=mx3')).toEqual([]);
    expect(await seenBy(staff, '&beamline=i03')).toEqual([]);
    for (const how of ['sort=created', 'sort=title', 'text=lyso', 'status=running', 'since=2000-01-01'])
      expect([how, await seenBy(staff, `&${how}`)]).toEqual([how, [0, 1, 3]]);
    expect(await seenBy(await gateway.key('none', 'user'), '&sort=title')).toEqual([]);
    expect(await seenBy(await gateway.key('bob', 'user'))).toEqual([4]);
    expect(await seenBy(await gateway.key('none', 'user'))).toEqual([]);
  });

  it('does not find a foreign session by any name', async () => {
    const [own, foreign] = [await gateway.session('mx1'), await gateway.session('mx2')];
    const ada = await gateway.key('ada', 'user', { proposals: ['mx1'] });
    // Both are called lysozyme.
    expect((await gateway.get('/v1/sessions/lysozyme', ada)).json()).toMatchObject({ id: own });
    const [refused, missing] = await Promise.all(
      [foreign, anId()].map((id) => gateway.get(`/v1/sessions/${id}`, { ...ada, 'x-request-id': 'same' })),
    );
    if (refused === undefined || missing === undefined) throw new Error('not answered');
    expect(codeOf(refused)).toEqual([404, 'session.not_found']);
    expect(refused.text.replaceAll(foreign, 'X').replace(/"instance.*?,/, '')).toBe(
      missing.text.replaceAll(/[0-9a-z]{26}/g, 'X').replace(/"instance.*?,/, ''),
    );
    expect((await gateway.get('/v1/sessions/lysozyme', await gateway.key('root', 'admin'))).status).toBe(409);
  });

  it('submits as the owner of the key, and only to their proposals', async () => {
    const ada = await gateway.key('ada', 'user', { proposals: ['mx1'] });
    const files = [gateway.file('a.sca')];
    const submitted = await gateway.submit({ files, proposal: 'mx1' }, ada);
    expect((submitted.json() as SessionView).request.submitter).toBe('ada');
    expect(codeOf(await gateway.submit({ files, proposal: 'mx2' }, ada))).toEqual([403, 'access.denied']);
    expect(codeOf(await gateway.submit({ files }, ada))).toEqual([403, 'access.denied']);
    const asBob = await gateway.submit({ files, proposal: 'mx1', submitter: 'bob' }, ada);
    expect(asBob.json()).toMatchObject({ problems: [{ field: 'submitter', allowed: 'ada, or nothing' }] });
  });

  it('separates idempotency keys by owner', async () => {
    const body = { files: [gateway.file('a.sca')], proposal: 'mx1' };
    const own = { proposals: ['mx1'] };
    const ids = new Set<string>();
    for (const owner of ['ada', 'bob']) {
      const headers = { ...(await gateway.key(owner, 'user', own)), 'idempotency-key': 'visit-7' };
      const first = (await gateway.submit(body, headers)).json() as SessionView;
      const again = await gateway.submit(body, headers);
      expect([(again.json() as SessionView).id, again.headers['idempotency-replayed']]).toEqual([first.id, 'true']);
      ids.add(first.id);
    }
    expect(ids.size).toBe(2);
  });

  it('refuses results of a foreign proposal as input', async () => {
    const ada = await gateway.key('ada', 'user', { proposals: ['mx1'] });
    const scaFileOf = (proposal: string): string => gateway.file(`../work/${proposal}/x/a.sca`, someReflections);
    const answer = await gateway.submit({ files: [scaFileOf('mx2')], proposal: 'mx1' }, ada);
    expect(answer.json()).toMatchObject({ problems: [{ code: 'file.missing' }] });
    expect(answer.text).not.toContain('mx2/x/a.sca does not');
    expect((await gateway.submit({ files: [scaFileOf('mx1')], proposal: 'mx1' }, ada)).status).toBe(201);
  });

  it('records the owner of the key, not the name in the body', async () => {
    const admin = await gateway.key('root', 'admin');
    const response = await gateway.send('PUT', '/v1/admin/launch', {
      body: { mode: 'paused', by: 'eve' },
      headers: admin,
    });
    expect(response.json()).toMatchObject({ by: 'root' });
  });

  it('names the permission that a key lacks', async () => {
    const reader = await gateway.key('ada', 'user', { proposals: ['mx1'], scopes: ['read'] });
    const answer = await gateway.submit({ files: [gateway.file('a.sca')], proposal: 'mx1' }, reader);
    expect(answer.json()).toMatchObject({
      code: 'access.denied',
      detail: 'Nothing was done: the key of ada was not made for "submit"; it was made for read (a new session).',
    });
    expect(codeOf(await gateway.get('/v1/admin/status', reader))).toEqual([403, 'access.denied']);
  });

  it("creates batches only in its own proposals, with the rows in its owner's name", async () => {
    const ada = await gateway.key('ada', 'user', { proposals: ['mx1'] });
    const bob = await gateway.key('bob', 'user', { proposals: ['mx2'] });
    const post = (body: object, headers: Record<string, string>): Promise<JsonAnswer> =>
      gateway.send('POST', '/v1/batches', { body, headers });
    const rows = [{ files: [gateway.file('a.sca')] }, { files: [gateway.file('../work/mx2/x/b.sca')] }];
    expect(codeOf(await post({ proposal: 'mx2', rows }, ada))).toEqual([403, 'access.denied']);
    expect((await post({ proposal: 'mx1', rows, submitter: 'bob' }, ada)).json()).toMatchObject({
      problems: [{ field: 'submitter' }],
    });
    const made = await post({ proposal: 'mx1', rows }, { ...ada, 'idempotency-key': 'visit-7' });
    const { id } = made.json() as BatchView;
    expect(made.json()).toMatchObject({ submitter: 'ada', owner: 'ada' });
    const batches = new BatchClient(gateway, () => ada);
    await batches.lookedAt(id);
    const states = (await batches.rowsOf(id)).map(({ state, problems = [] }) => [
      state,
      ...problems.map(({ code }) => code),
    ]);
    expect(states).toEqual([['accepted'], ['rejected', 'file.missing']]);
    expect(((await gateway.get('/v1/sessions', ada)).json() as SessionPage).sessions).toMatchObject([
      { submitter: 'ada', proposal: 'mx1' },
    ]);
    const other = (await post({ proposal: 'mx2', rows }, { ...bob, 'idempotency-key': 'visit-7' })).json() as BatchView;
    expect(other.id).not.toBe(id);
    expect(codeOf(await gateway.get(`/v1/batches/${id}`, bob))).toEqual([404, 'batch.not_found']);
    expect(codeOf(await gateway.get(`/v1/batches/${id}/results.csv`, bob))).toEqual([404, 'batch.not_found']);
    const listed = async (headers: Record<string, string>): Promise<readonly string[]> =>
      ((await gateway.get('/v1/batches', headers)).json() as BatchPage).batches.map((batch) => batch.id);
    expect([await listed(ada), await listed(bob)]).toEqual([[id], [other.id]]);
    const manifest = { headers: { ...bob, 'content-type': 'text/csv' }, raw: 'files\n/a.sca\n' };
    expect((await gateway.send('POST', `/v1/batches/${id}/rows`, manifest)).status).toBe(404);
  });

  it('closes the event stream of a revoked key', async () => {
    const id = await gateway.session('mx1');
    const ada = await gateway.key('ada', 'user', { proposals: ['mx1'] });
    const url = await gateway.listen();
    const stream = await fetch(`${url}/v1/sessions/${id}/events`, { headers: ada });
    expect(stream.status).toBe(200);
    const text = stream.text();
    await gateway.store.keys.revoke(ada.authorization?.slice(11, 27) ?? '', {
      revokedAt: at(0),
      revokedBy: 'root',
    });
    expect(await text).not.toContain('event: end');
  });
});

describe('an invalid request for a key names the invalid fields', () => {
  const gateway = useStarted('file', () => KeyedGateway.withKeys());

  it.each([
    [{}, ['owner', 'role']],
    [{ owner: 'a b', role: 'king' }, ['owner', 'role']],
    [{ owner: 'ada', role: 'admin', proposals: ['mx1'] }, ['proposals']],
    [{ owner: 'ada', role: 'user', beamlines: ['i04'] }, ['beamlines']],
    [{ owner: 'ada', role: 'kiosk', scopes: ['submit'] }, ['scopes']],
    [{ owner: 'ada', role: 'admin', expires_in_days: 0, hash: 'x' }, ['expires_in_days', 'hash']],
    [{ owner: 'ada', role: 'user', proposals: ['../mx1'] }, ['proposals[0]']],
    [{ owner: 'ada', role: 'staff', proposals: ['*'], beamlines: ['i04'] }, ['proposals']],
    [{ owner: 'daq', role: 'service', proposals: ['*'] }, ['proposals']],
    [{ owner: 'daq', role: 'service', proposals: ['mx*'], beamlines: ['i04'] }, ['proposals[0]']],
  ])('%j', async (body, fields) => {
    const headers = await gateway.key('root', 'admin');
    const answer = await gateway.send('POST', '/v1/admin/keys', { body, headers });
    const problemFields = ((answer.json() as ProblemDetails).problems ?? []).map(({ field }) => field);
    expect([answer.status, problemFields.toSorted()]).toEqual([400, fields]);
  });
});
