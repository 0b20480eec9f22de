import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { directivesInForce, type Session } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { aModel, GatewayHarness, type JsonAnswer } from './gateway-harness';

describe('a folder as input', () => {
  const gateway = useStarted('file', () => GatewayHarness.start());

  /** A folder with a data set and these files. */
  const folderOf = (name: string, files: Readonly<Record<string, string>> = {}): string => {
    const data = gateway.file(`${name}/data.sca`);
    for (const [file, content] of Object.entries(files)) gateway.file(`${name}/${file}`, content);
    return dirname(data);
  };
  const submitted = async (body: unknown, headers: Record<string, string> = {}): Promise<Session> => {
    const answer = await gateway.submit(body, headers);
    expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, '']);
    return answer.json() as Session;
  };
  const firstEvent = async ({ id }: Session): Promise<string> =>
    (await gateway.store.events.after(id, '0', 1))[0]?.message ?? '';
  const codesOf = (answer: JsonAnswer): readonly string[] => {
    const { problems } = answer.json() as { problems: readonly { field: string; code: string }[] };
    return [String(answer.status), ...problems.map(({ field, code }) => `${field} ${code}`)];
  };

  it('supplies its data, models and sequences, and its README as advice, and skipped files are listed', async () => {
    const folder = folderOf('visit', {
      'model.pdb': aModel,
      'run.log': 'nothing',
      '.hidden.pdb': aModel,
      'sub/other.pdb': aModel,
      'odd.cif': '\u0001\u0002',
      'README.TXT': 'Refine twice and stop.',
      'notes.txt': 'Skip xtriage.',
    });
    const session = await submitted({ input_directory: folder });
    expect(session.request.inputs.map(({ path }) => basename(path))).toEqual(['data.sca', 'model.pdb']);
    expect(session.request).toMatchObject({ title: 'visit', advice: '', directory: { path: folder } });
    expect(session.guidance?.sources).toEqual([{ from: 'readme', file: 'README.TXT', text: 'Refine twice and stop.' }]);
    expect(directivesInForce(session).stop_conditions).toMatchObject({ max_refine_cycles: 2 });
    const message = await firstEvent(session);
    expect(message).toContain('folder visit: README.TXT is read as advice. Left out: ');
    for (const name of ['notes.txt is not read: README.TXT is', 'run.log has no ending', 'odd.cif'])
      expect(message).toContain(name);
  });

  it('combines with files and advice, which override its README', async () => {
    const folder = folderOf('beside', { readme: 'Use resolution 3.0. Refine 5 times at most.' });
    const model = gateway.file('elsewhere/model.pdb', aModel);
    const files = [model, join(folder, 'data.sca')];
    const session = await submitted({ files, input_directory: folder, advice: 'Use resolution 2.5.' });
    expect(session.request.inputs.map(({ path }) => path)).toEqual(files);
    expect(directivesInForce(session)).toMatchObject({
      program_settings: { default: { resolution: 2.5 } },
      stop_conditions: { max_refine_cycles: 5 },
    });
    expect(session.guidance?.reading.conflicts).toHaveLength(1);
  });

  it('reads 5,000 characters of its README, and reports the limit', async () => {
    const folder = folderOf('long', { 'README.md': `${'é'.repeat(4_990)} refine twice and skip validation` });
    const { guidance } = await submitted({ input_directory: folder });
    expect(guidance?.sources[0]).toMatchObject({ cut: true });
    expect(guidance?.sources[0]?.text).toHaveLength(5_000);
    expect(guidance?.reading.directives).toEqual({});
  });

  it('yields no directives without a README, with an empty one, or with one that is a link elsewhere', async () => {
    const link = folderOf('link');
    symlinkSync('/etc/hostname', join(link, 'README'));
    for (const folder of [folderOf('without'), folderOf('empty', { README: ' \n' }), link]) {
      const session = await submitted({ input_directory: folder });
      expect(session).not.toHaveProperty('guidance');
    }
    const message = await firstEvent(await submitted({ input_directory: link }));
    expect(message).toContain('README is not read');
  });

  it('yields no directives from a hostile README', async () => {
    const fixture = join(__dirname, '../../libs/domain/advice/src/fixtures/hostile.yaml');
    const texts = load(readFileSync(fixture, 'utf8')) as readonly string[];
    for (const [index, text] of texts.entries()) {
      const session = await submitted({ input_directory: folderOf(`hostile${String(index)}`, { README: text }) });
      const directiveNames = Object.keys(directivesInForce(session)).filter((part) => part !== 'constraints');
      expect([text, directiveNames, session.guidance?.endsAfter]).toEqual([text, [], undefined]);
    }
  });

  it('is part of the submission that an idempotency key identifies', async () => {
    const folder = folderOf('again', { 'README.txt': 'Refine twice.' });
    const key = { 'idempotency-key': 'a-folder' };
    const { id } = await submitted({ input_directory: folder }, key);
    gateway.file('again/late.pdb', aModel);
    const replayed = await submitted({ input_directory: folder }, key);
    expect(replayed.id).toBe(id);
    expect((await gateway.submit({ input_directory: folderOf('other') }, key)).status).toBe(409);
  });

  it('is refused outside the data folders, if it is a file, if it contains a link to outside, and if it is empty', async () => {
    const stray = folderOf('stray');
    symlinkSync('/etc/hostname', join(stray, 'model.pdb'));
    mkdirSync(join(gateway.data, 'nothing'));
    const refused = async (body: unknown): Promise<readonly string[]> => codesOf(await gateway.submit(body));
    expect(await refused({ input_directory: '/etc' })).toEqual(['422', 'input_directory file.outside_root']);
    expect(await refused({ input_directory: join(gateway.data, 'gone') })).toEqual([
      '422',
      'input_directory file.missing',
    ]);
    expect(await refused({ input_directory: join(stray, 'data.sca') })).toEqual([
      '422',
      'input_directory file.unreadable',
    ]);
    expect(await refused({ input_directory: stray })).toEqual(['422', 'input_directory file.outside_root']);
    expect(await refused({ input_directory: join(gateway.data, 'nothing') })).toEqual(['422', 'files files.no_data']);
    expect(await refused({ input_directory: 'visit' })).toEqual(['422', 'input_directory field.value']);
    expect(await refused({})).toEqual(['422', 'files field.missing']);
  });
});
