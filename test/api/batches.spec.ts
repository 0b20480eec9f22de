import type { BatchResultPage, BatchView, RowsAdded } from '@fleet/contracts/batches';
import type { ProblemDetails, SessionLigand, SessionPage } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { BatchClient } from './batch-client';
import { aModel, GatewayHarness, type JsonAnswer } from './gateway-harness';

describe('batches', () => {
  const gateway = useStarted('test', () => GatewayHarness.start());

  const { made: make, send, shown, rowsOf, until, lookedAt } = new BatchClient(gateway);
  const added = async (...given: Parameters<typeof send>): Promise<RowsAdded> =>
    (await send(...given)).json() as RowsAdded;
  const problemsOf = (answer: JsonAnswer): readonly string[] =>
    ((answer.json() as ProblemDetails).problems ?? []).map(({ field, reason }) => `${field}: ${reason}`);
  const sessionsOf = async (): Promise<SessionPage['sessions']> =>
    ((await gateway.get('/v1/sessions')).json() as SessionPage).sessions;

  it('creates a session for each row of a manifest, or gives the reason', async () => {
    const [one, two] = ['x1.sca', 'x2.sca'].map((name) => gateway.file(name));
    gateway.file('model.pdb', aModel);
    const { id } = await make({
      proposal: 'mx1',
      base: gateway.data,
      defaults: { files: ['model.pdb'], settings: { max_cycles: 3 } },
    });
    const manifest = `files;title;settings.max_cycles\r\n${one ?? ''};first;5\r\nx2.sca;"=cmd|' /c calc'!A1";\r\nx3.sca;gone;\r\n${two ?? ''};bad;many\r\nshort\r\n`;
    expect(await added(id, `\ufeff${manifest}`, 'text/csv; charset=utf-8', '?complete=true')).toEqual({
      added: 5,
      known: 0,
      unreadable: 1,
      rows: 5,
    });
    const batch = await lookedAt(id);
    expect(batch).toMatchObject({
      proposal: 'mx1',
      complete: true,
      states: { accepted: 2, rejected: 3, waiting: 0 },
      sessions: { running: 2 },
      done: false,
      state: '5 rows, 3 rejected; 2 sessions under way, 0 ended',
    });
    const rows = await rowsOf(id);
    expect(
      rows.map(({ line, state, problems }) => [
        line,
        state,
        problems?.map(({ field, code }) => `${field} ${code ?? ''}`),
      ]),
    ).toEqual([
      [2, 'accepted', undefined],
      [3, 'accepted', undefined],
      [4, 'rejected', ['files[0] file.missing']],
      [5, 'rejected', ['settings.max_cycles setting.type']],
      [6, 'rejected', ['row row.unreadable']],
    ]);
    const session = (await gateway.get(`/v1/sessions/${rows[0]?.session ?? ''}`)).json();
    expect(session).toMatchObject({
      request: { batch: id, title: 'first', proposal: 'mx1', settings: { max_cycles: 5 }, inputs: [{ path: one }, {}] },
    });
    const csv = (await gateway.get(`/v1/batches/${id}/results.csv`)).text.split('\r\n');
    expect(csv[0]).toContain('row,state,session,title,status');
    expect(csv[2]).toContain(`"'=cmd|' /c calc'!A1"`);
    expect(csv[3]).toContain('3,rejected,,');
  });

  it('adds no row twice when requests are repeated', async () => {
    gateway.file('x1.sca');
    const body = { proposal: 'mx1', base: gateway.data };
    const { id } = await make(body, { 'idempotency-key': 'campaign' });
    const manifest = 'files,title\nx1.sca,one\nx1.sca,two\n';
    expect(await added(id, manifest)).toMatchObject({ added: 2, known: 0 });
    await lookedAt(id);
    expect((await make(body, { 'idempotency-key': 'campaign' })).id).toBe(id);
    expect(await added(id, manifest)).toMatchObject({ added: 0, known: 2 });
    expect(await added(id, 'title,files\nthree,x1.sca\n')).toMatchObject({ added: 1, rows: 3 });
    await lookedAt(id);
    expect(await sessionsOf()).toHaveLength(3);
    const other = await gateway.send('POST', '/v1/batches', { body: {}, headers: { 'idempotency-key': 'campaign' } });
    expect([other.status, (other.json() as ProblemDetails).code]).toEqual([409, 'idempotency.conflict']);
  });

  it('reads YAML, JSON lines and JSON like CSV', async () => {
    gateway.file('x1.sca');
    const { id } = await make({ base: gateway.data, rows: [{ files: ['x1.sca'], title: 'json' }, 'no row'] });
    await added(id, '- files: [x1.sca]\n  title: yaml\n- - list\n', 'application/yaml');
    await added(id, '{"files":["x1.sca"],"title":"lines"}\nnull\n', 'application/x-ndjson');
    await lookedAt(id);
    expect((await sessionsOf()).map(({ title }) => title).sort()).toEqual(['json', 'lines', 'yaml']);
    const rows = await rowsOf(id, '?state=rejected');
    expect(rows.map(({ problems }) => problems?.[0]?.reason)).toEqual(['is "no row"', 'is a list', 'is null']);
  });

  it('finds rows in a folder, with variables for titles, advice and files', async () => {
    for (const crystal of ['x2', 'x1']) {
      gateway.file(`mx1/${crystal}/final.sca`);
      gateway.file(`mx1/${crystal}/${crystal}.pdb`, aModel);
    }
    gateway.file('mx1/x3/other.txt', 'text');
    const { id } = await make({
      base: `${gateway.data}/mx1`,
      folder: { pattern: '{crystal}/*.sca' },
      defaults: { title: '{crystal} of mx1', files: ['{crystal}/{crystal}.pdb'], advice: 'this is {crystal}' },
    });
    const batch = await lookedAt(id);
    expect(batch).toMatchObject({ complete: true, states: { accepted: 2 } });
    expect((await sessionsOf()).map(({ title }) => title).sort()).toEqual(['x1 of mx1', 'x2 of mx1']);
    const outside = await gateway.send('POST', '/v1/batches', { body: { folder: { pattern: '/etc/{x}' } } });
    expect([outside.status, problemsOf(outside)]).toEqual([
      422,
      ['folder.pattern: begins outside of the data folders'],
    ]);
  });

  it('only checks the rows of a dry run', async () => {
    gateway.file('x1.sca');
    const { id } = await make({
      base: gateway.data,
      start: 'never',
      rows: [{ files: ['x1.sca'] }, { files: ['/etc/passwd'] }],
    });
    expect(await lookedAt(id)).toMatchObject({
      states: { checked: 1, rejected: 1 },
      done: true,
      state: '1 of 2 rows are valid, 1 rejected; none is started',
    });
    expect(await sessionsOf()).toEqual([]);
  });

  it('starts rows together or not at all', async () => {
    gateway.file('x1.sca');
    const together = { base: gateway.data, start: 'together' };
    const refused = await make({ ...together, rows: [{ files: ['x1.sca'] }, { files: ['x2.sca'] }] });
    expect(await lookedAt(refused.id)).toMatchObject({
      states: { checked: 1, rejected: 1 },
      done: true,
      state: 'none of 2 rows is started, for 1 of them cannot be',
    });
    expect(await sessionsOf()).toEqual([]);
    gateway.file('x2.sca');
    const again = await gateway.send('POST', `/v1/batches/${refused.id}/retry`);
    expect([again.status, again.json()]).toEqual([202, { retried: 1 }]);
    await until(refused.id, ({ states }) => states.accepted === 2);
    expect(await sessionsOf()).toHaveLength(2);
  });

  it('pauses, continues, and is cancelled with its sessions', async () => {
    gateway.file('x1.sca');
    const { id } = await make({ base: gateway.data });
    const post = async (what: string): Promise<JsonAnswer> => gateway.send('POST', `/v1/batches/${id}/${what}`);
    expect((await post('pause')).json()).toMatchObject({ status: 'paused' });
    await added(id, 'files,title\nx1.sca,a\nx1.sca,b\n');
    // Another one that came later is looked at.
    await lookedAt((await make({ base: gateway.data, rows: [{ files: ['x1.sca'], title: 'c' }] })).id);
    expect(await shown(id)).toMatchObject({ status: 'paused', states: { waiting: 2 } });
    await post('resume');
    await lookedAt(id);
    expect((await post('cancel')).status).toBe(202);
    await until(id, ({ sessions }) => sessions.cancelling === 2);
    expect((await post('resume')).status).toBe(409);
    expect((await post('retry')).status).toBe(409);
    expect((await send(id, 'files\nx1.sca\n')).status).toBe(409);
  });

  it('reruns failed rows, each as a new session', async () => {
    gateway.file('x1.sca');
    const { id } = await make({
      base: gateway.data,
      rows: [
        { files: ['x1.sca'], title: 'a' },
        { files: ['x1.sca'], title: 'b' },
      ],
    });
    await lookedAt(id);
    const failed = (await rowsOf(id))[0]?.session ?? '';
    const ended = { reason: 'infrastructure', detail: 'lost', afterCycle: 0 } as const;
    await gateway.store.records.advance({ sessionId: failed, fromVersion: 1, to: { ended }, events: [], dueInMs: 1 });
    expect(await shown(id)).toMatchObject({ sessions: { running: 1, failed: 1 } });
    const retry = (body?: object): Promise<JsonAnswer> => gateway.send('POST', `/v1/batches/${id}/retry`, { body });
    expect((await retry()).json()).toEqual({ retried: 1 });
    await lookedAt(id);
    expect((await retry()).json()).toEqual({ retried: 0 });
    expect(await shown(id)).toMatchObject({ sessions: { running: 2, failed: 0 } });
    const [row] = await rowsOf(id);
    expect([row?.run, row?.session === failed]).toEqual([1, false]);
    expect((await retry({ of: ['solved'] })).status).toBe(400);
  });

  it('returns results in pages, best first on request', async () => {
    gateway.file('x1.sca');
    const rows = ['a', 'b', 'c'].map((title) => ({ files: ['x1.sca'], title }));
    const { id } = await make({ base: gateway.data, rows });
    await lookedAt(id);
    const fits = [0.3, 0.2];
    for (const [index, { session = '' }] of (await rowsOf(id)).entries()) {
      const value = fits[index];
      const to = { stage: 'executing', cycle: 1, attempt: 1 } as const;
      const progress = value === undefined ? {} : { fit: { metric: 'r_free', value, resolution: 1.5 } };
      await gateway.store.records.advance({ sessionId: session, fromVersion: 1, to, progress, events: [], dueInMs: 1 });
    }
    const page = async (query: string): Promise<BatchResultPage> =>
      (await gateway.get(`/v1/batches/${id}/results${query}`)).json() as BatchResultPage;
    const first = await page('?sort=fit&limit=2');
    const titles = ({ results }: BatchResultPage): readonly unknown[] => results.map(({ session }) => session?.title);
    expect([titles(first), titles(await page(`?sort=fit&cursor=${first.nextCursor ?? ''}`))]).toEqual([
      ['b', 'a'],
      ['c'],
    ]);
    const plain = await page('?limit=1');
    expect([titles(plain), plain.nextCursor]).toEqual([['a'], '1']);
    expect((await gateway.get(`/v1/batches/${id}/results.csv?sort=fit`)).text.split('\r\n')[1]).toContain(
      ',1.50,,0.2000,r_free,0.2000,',
    );
    expect((await gateway.get(`/v1/batches/${id}/results?sort=title`)).status).toBe(400);
  });

  it('lists hits: ligands kept in models first, then by the correlation of the fit', async () => {
    const ligands: Readonly<Record<string, SessionLigand>> = {
      a: { inModel: false, code: 'L01', cc: 0.95, atoms: 20, atomsInDensity: 8 },
      b: { inModel: true, code: 'L02', cc: 0.81, atoms: 21, atomsInDensity: 20, omitCc: 0.9 },
      d: { inModel: true, code: 'L04', cc: 0.9 },
    };
    const titled = ['a', 'b', 'c', 'd'].map((title) => ({ title, files: [gateway.file(`${title}.sca`)] }));
    const { id } = await make({ rows: titled });
    await lookedAt(id);
    for (const { session = '' } of await rowsOf(id)) {
      const ligand = ligands[(await gateway.store.records.load(session))?.request.title ?? ''];
      const to = { stage: 'deciding', cycle: 2, attempt: 1 } as const;
      const progress = ligand === undefined ? {} : { ligand };
      await gateway.store.records.advance({ sessionId: session, fromVersion: 1, to, progress, events: [], dueInMs: 1 });
    }
    const { results } = (await gateway.get(`/v1/batches/${id}/results?sort=ligand`)).json() as BatchResultPage;
    expect(results.map(({ session }) => [session?.title, session?.ligand?.cc])).toEqual([
      ['d', 0.9],
      ['b', 0.81],
      ['a', 0.95],
      ['c', undefined],
    ]);
    const [, , second, third, last] = (await gateway.get(`/v1/batches/${id}/results.csv?sort=ligand`)).text.split(
      '\r\n',
    );
    expect(second).toContain(',L02,yes,0.810,21,20,0.900,');
    expect(third).toContain(',L01,no,0.950,20,8,,');
    expect(last).toContain(',,,,,,');
  });

  it('is listed newest first, and answers 304 for a current ETag', async () => {
    const { id } = await make({ title: 'one', proposal: 'mx1' });
    await make({ proposal: 'mx2' });
    const listed = (await gateway.get('/v1/batches?proposal=mx1')).json() as { batches: readonly BatchView[] };
    expect(listed.batches.map(({ title }) => title)).toEqual(['one']);
    const answer = await gateway.get(`/v1/batches/${id}`);
    const again = await gateway.get(`/v1/batches/${id}`, { 'if-none-match': String(answer.headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
