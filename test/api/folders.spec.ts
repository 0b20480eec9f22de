import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileUse, Session, SessionView } from '@fleet/contracts/sessions';
import type { FolderView, SubmissionReading } from '@fleet/contracts/submissions';
import { useStarted } from '@fleet/testing';
import { KeyedGateway } from './keyed-gateway';
import { aModel, GatewayHarness } from './gateway-harness';

describe('GET /v1/folders', () => {
  const gateway = useStarted('test', () => GatewayHarness.start());

  const list = async (path?: string, more = ''): Promise<FolderView> => {
    const query = path === undefined ? '' : `?path=${encodeURIComponent(path)}${more}`;
    return (await gateway.get(`/v1/folders${query}`)).json() as FolderView;
  };
  const names = ({ entries }: FolderView): readonly string[] => entries.map(({ name }) => name);

  it('lists the data folders first', async () => {
    expect(await list()).toEqual({
      path: '',
      skipped: 0,
      entries: [gateway.data, gateway.work].map((path) => ({ name: path, path, kind: 'folder' })),
    });
  });

  it('lists folders, then files, in numeric order, and marks possible inputs', async () => {
    for (const name of ['x10.mtz', 'x2.mtz', 'notes.txt', '.hidden', 'crystal2/a.mtz', 'crystal10/a.mtz'])
      gateway.file(name, 'content');
    const seen = await list(gateway.data);
    expect(names(seen)).toEqual(['crystal2', 'crystal10', 'notes.txt', 'x2.mtz', 'x10.mtz']);
    expect(seen).not.toHaveProperty('above');
    expect(seen.entries[3]).toMatchObject({ path: join(gateway.data, 'x2.mtz'), kind: 'file', size: 7, likely: true });
    expect(seen.entries[2]).not.toHaveProperty('likely');
    expect(await list(join(gateway.data, 'crystal2'))).toMatchObject({ above: gateway.data });
  });

  it('continues page by page, each name once', async () => {
    for (let at = 0; at < 25; at += 1) gateway.file(`${at % 3 === 0 ? `d${String(at)}/` : ''}f${String(at)}.mtz`);
    const found: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: FolderView = await list(
        gateway.data,
        `&limit=4${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      expect(page.entries.length).toBeLessThanOrEqual(4);
      found.push(...names(page));
      cursor = page.nextCursor;
    }
    expect([found.length, new Set(found).size]).toEqual([25, 25]);
    expect(found).toEqual(names(await list(gateway.data)));
  });

  it('shows a link as its target, and omits links out of the data folders', async () => {
    gateway.file('real/a.mtz');
    mkdirSync(join(gateway.root, 'secret'));
    writeFileSync(join(gateway.root, 'secret/b.mtz'), 'x');
    for (const [name, target] of [
      ['in', join(gateway.data, 'real')],
      ['in.mtz', join(gateway.data, 'real/a.mtz')],
      ['out', join(gateway.root, 'secret')],
      ['out.mtz', join(gateway.root, 'secret/b.mtz')],
      ['nowhere', join(gateway.data, 'nothing')],
      ['loop', join(gateway.data, 'loop')],
    ] as const)
      symlinkSync(target, join(gateway.data, name));
    const seen = await list(gateway.data);
    expect(seen.entries.map(({ name, kind }) => [name, kind])).toEqual([
      ['real', 'folder'],
      ['in', 'folder'],
      ['in.mtz', 'file'],
    ]);
    expect(seen.skipped).toBe(4);
    expect((await list(join(gateway.data, 'in'))).path).toBe(join(gateway.data, 'real'));
  });

  it.each([
    ['outside', () => '/etc', 'file.outside_root'],
    ['through a link outside', () => join(gateway.data, 'out'), 'file.outside_root'],
    ['above by dots', () => `${gateway.data}/../..`, 'file.outside_root'],
    ['not there', () => join(gateway.data, 'nothing'), 'file.missing'],
    ['no folder', () => gateway.file('a.mtz'), 'file.unreadable'],
    ['no whole path', () => 'data', 'file.bad_name'],
    ['with a NUL', () => `${gateway.data}/a\0b`, 'file.bad_name'],
  ])('refuses a path %s', async (_, path, code) => {
    symlinkSync('/etc', join(gateway.data, 'out'));
    const answer = await gateway.get(`/v1/folders?path=${encodeURIComponent(path())}`);
    expect([answer.status, answer.json()]).toMatchObject([400, { problems: [{ field: 'path', code }] }]);
  });

  it('shows only results of own proposals', async () => {
    const keyed = await KeyedGateway.withKeys();
    for (const proposal of ['mx1', 'mx2']) mkdirSync(join(keyed.work, proposal), { recursive: true });
    const headers = await keyed.key('ada', 'user', { proposals: ['mx1'] });
    const seen = (await keyed.get('/v1/folders', headers)).json() as FolderView;
    expect(names(seen)).toEqual([keyed.data, join(keyed.work, 'mx1')]);
    for (const path of [keyed.work, join(keyed.work, 'mx2')])
      expect((await keyed.get(`/v1/folders?path=${path}`, headers)).status).toBe(400);
    await keyed.stop();
  });
});

describe('POST /v1/submissions/preview', () => {
  const categories = (files: readonly unknown[]): { category: string; why: string }[][] =>
    files.map(() => [{ category: 'data', why: 'reflections' }]);
  const gateway = useStarted('file', () => GatewayHarness.start({ knowledge: { categories } }));
  const read = async (body: object): Promise<SubmissionReading> =>
    (await gateway.send('POST', '/v1/submissions/preview', { body })).json() as SubmissionReading;

  it('reports the categories of each file and the parsed advice, and starts nothing', async () => {
    const data = gateway.file('data.sca');
    const reading = await read({ files: [data], advice: 'use data to 2.0 Å', settings: { max_cycles: 3 } });
    expect(reading).toMatchObject({
      problems: [],
      files: [{ path: data, format: 'scalepack', categories: [{ category: 'data' }] }],
      guidance: { reading: { understood: [{ words: expect.stringContaining('2.0') as unknown }] } },
    });
    expect(((await gateway.get('/v1/sessions')).json() as { sessions: unknown[] }).sessions).toEqual([]);
  });

  it('lists every reason for a refusal, and classifies each readable file', async () => {
    const model = gateway.file('model.pdb', aModel);
    const reading = await read({ files: [model, '/etc/passwd'], settings: { max_cycles: 1000 } });
    expect(reading.files).toMatchObject([{ path: model, format: 'pdb' }]);
    expect(reading.problems.map(({ field, code }) => [field, code])).toEqual(
      expect.arrayContaining([
        ['settings.max_cycles', 'setting.range'],
        ['files[1]', 'file.outside_root'],
      ]),
    );
    expect(reading).not.toHaveProperty('first');
  });

  it('reports the use of each file, and refuses unused files in strict mode', async () => {
    const uses = (session: Session): readonly FileUse[] =>
      session.request.inputs.map(({ path }) => ({ path, used: path.endsWith('.sca'), text: 'a reason' }));
    const own = await GatewayHarness.start({ knowledge: { fileUses: uses } });
    const files = [own.file('data.sca'), own.file('model.pdb', aModel)];
    const reading = await own.send('POST', '/v1/submissions/preview', { body: { files } });
    expect((reading.json() as SubmissionReading).files.map(({ use }) => use?.used)).toEqual([true, false]);
    const refused = await own.send('POST', '/v1/sessions', { body: { files, strict: true } });
    expect([refused.status, refused.json()]).toMatchObject([
      422,
      { problems: [{ field: 'files[1]', code: 'files.unused', reason: 'model.pdb would not be used: a reason' }] },
    ]);
    const started = await own.send('POST', '/v1/sessions', { body: { files } });
    expect((started.json() as SessionView).fileUses).toMatchObject([{ used: true }, { used: false }]);
    await own.stop();
  });

  it('does not read files of a foreign proposal', async () => {
    const keyed = await KeyedGateway.withKeys();
    const headers = await keyed.key('ada', 'user', { proposals: ['mx1'] });
    const body = { files: [keyed.file('data.sca')], proposal: 'mx2' };
    const answer = await keyed.send('POST', '/v1/submissions/preview', { body, headers });
    expect([answer.status, answer.json()]).toMatchObject([403, { code: 'access.denied' }]);
    await keyed.stop();
  });
});
