import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { proposalsRoot, sharedRoot } from '@fleet/access';
import type { Session } from '@fleet/contracts/sessions';
import type { Authenticity } from '@fleet/ports';
import { readInstallationKeys, SessionFolder } from '@fleet/session-folder';
import { aCycle, aDecision, aFile, anId, aRequest, aResult, useStarted, useStores } from '@fleet/testing';
import { aKey, edit, fileOf, idsOf, RecoveryGround, type Editable } from './recovery-ground';

const newStore = useStores();
const ground = useStarted('test', () => new RecoveryGround(newStore));

describe('an edited session.json', () => {
  it.each<[string, Authenticity, (content: Editable) => void]>([
    ['another input', 'altered', ({ session }) => Object.assign(session.request as object, { title: 'another' })],
    ['another owner', 'altered', ({ session }) => Object.assign(session.request as object, { submitter: 'root' })],
    ['another place', 'altered', ({ session }) => Object.assign(session, { cycle: 7 })],
    ['a member more', 'altered', ({ session }) => Object.assign(session, { extra: 1 })],
    ['no signature', 'unsigned', (content) => delete content.signature],
    ['half a signature', 'altered', (content) => (content.signature = { key: 'x' })],
    [
      'a signature of another key',
      'unknown_key',
      (content) => Object.assign(content.signature as object, { key: '00000000' }),
    ],
    ['an empty signature', 'altered', (content) => Object.assign(content.signature as object, { mac: '' })],
  ])('(%s) is skipped until it is trusted, and the others are recovered', async (_, authenticity, change) => {
    const [edited, other] = [await ground.write(), await ground.write()];
    edit(edited, change);
    const store = ground.store();
    const report = await ground.recovered(store);
    expect([idsOf(report), report.untrusted.map(({ id }) => id)]).toEqual([[other.id], [edited.id]]);
    expect(report.untrusted[0]?.reason).toMatch(/signature|signed|key/);
    await expect(store.records.load(edited.id)).resolves.toBeUndefined();
    expect(idsOf(await ground.trusted(store))).toEqual([edited.id]);
    await expect(store.events.after(edited.id, '0', 1)).resolves.toMatchObject([
      {
        data: { notAuthenticated: authenticity, trustedBy: 'somebody' },
        message: expect.stringMatching(/not authenticated .* trusted by somebody/) as string,
      },
    ]);
  });

  it('may have any spacing and order: the signature covers its content', async () => {
    const session = await ground.write({ cycles: [] });
    const { session: record, ...rest } = JSON.parse(readFileSync(fileOf(session), 'utf8')) as Editable;
    const turned = Object.fromEntries(Object.entries(record).reverse());
    writeFileSync(fileOf(session), JSON.stringify({ session: turned, ...rest }));
    expect(idsOf(await ground.recovered())).toEqual([session.id]);
  });

  it('does not become another session when it is moved, with or without its signature', async () => {
    const [one, other] = [await ground.write(), await ground.write()];
    cpSync(fileOf(one), fileOf(other));
    const elsewhere = join(ground.work, 'mx9', one.id);
    mkdirSync(elsewhere, { recursive: true });
    cpSync(fileOf(one), join(elsewhere, 'session.json'));
    const report = await ground.trusted();
    expect(idsOf(report)).toEqual([one.id]);
    expect(report.skipped.map(({ folder, code }) => [folder, code]).sort()).toEqual(
      [
        [other.folder, 'session_file.misplaced'],
        [elsewhere, 'session_file.misplaced'],
      ].sort(),
    );
  });

  it('is accepted with any key of the file, and signed with the first', async () => {
    const session = await ground.write();
    const old = readFileSync(ground.keyFile, 'utf8');
    writeFileSync(ground.keyFile, `# the new one first\n${aKey()}\n${old}\n`);
    expect(idsOf(await ground.recovered())).toEqual([session.id]);
    await ground.folders().writeSession(session);
    const both = readFileSync(ground.keyFile, 'utf8');
    writeFileSync(ground.keyFile, old);
    expect((await ground.recovered()).untrusted).toMatchObject([
      { id: session.id, reason: expect.stringContaining('key') as string },
    ]);
    writeFileSync(ground.keyFile, both);
    expect(idsOf(await ground.recovered())).toEqual([session.id]);
  });

  it('is never authenticated without a key: every session needs trust', async () => {
    const session = await ground.write();
    const bare = new SessionFolder(ground.work, { dataRoots: [sharedRoot(ground.data)] });
    const report = await ground.recovered(ground.store(), bare);
    expect(report).toMatchObject({ recovered: [], untrusted: [{ id: session.id }] });
    expect(report.untrusted[0]?.reason).toContain('FLEET_INSTALLATION_KEY_FILE');
  });
});

describe('a trusted session.json with any content', () => {
  const outside = (): string => ground.secret;
  const cases: [string, () => Partial<Session>, RegExp][] = [
    [
      'an input outside of the roots',
      () => ({ request: aRequest({ inputs: [aFile({ path: outside() })] }) }),
      /outside/,
    ],
    [
      'an input by way of ..',
      () => ({ request: aRequest({ inputs: [aFile({ path: `${ground.data}/../secret` })] }) }),
      /outside/,
    ],
    [
      'an input that a link leads out',
      () => {
        symlinkSync(outside(), join(ground.data, 'link.mtz'));
        return { request: aRequest({ inputs: [aFile({ path: join(ground.data, 'link.mtz') })] }) };
      },
      /leads outside/,
    ],
    [
      'a decided input outside',
      () => ({
        cycles: [aCycle({ decision: aDecision({ argv: ['x'], inputs: [{ slot: 'model', path: outside() }] }) })],
      }),
      /an input of cycle 1/,
    ],
    [
      'an output of another session',
      () => ({
        cycles: [
          aCycle({
            decision: aDecision({ argv: ['x'], inputs: [] }),
            result: aResult({ outputs: [aFile({ path: join(ground.work, 'mx1', anId(), 'c001-refine/a1/out.pdb') })] }),
          }),
        ],
      }),
      /is not in its session folder/,
    ],
    [
      'a command with an argument outside',
      () => ({
        stage: 'executing',
        cycles: [
          {
            cycle: 1,
            attempts: [],
            decision: aDecision({ argv: ['phenix.refine', `output.prefix="${outside()}"`], inputs: [] }),
          },
        ],
      }),
      /the command of cycle 1/,
    ],
    [
      'a program that is a path',
      () => ({ cycles: [aCycle({ decision: aDecision({ program: '../../x', inputs: [] }) })] }),
      /program/,
    ],
    ['a cycle that nobody could count', () => ({ cycle: 1e15 }), /cycle/],
    ['two cycles of one number', () => ({ cycles: [aCycle(), aCycle()] }), /cycles/],
    ['a program that runs without a record', () => ({ stage: 'executing' }), /stage/],
    ['an end without a reason', () => ({ status: 'completed' }), /stop/],
    ['a date of another age', () => ({ createdAt: '9999-12-31T00:00:00.000Z' }), /createdAt/],
    ['a date that is none', () => ({ updatedAt: 'yesterday' }), /updatedAt/],
    [
      'settings out of their range',
      () => ({ request: aRequest({ settings: { ...aRequest().settings, max_cycles: 1_000_000 } }) }),
      /max_cycles/,
    ],
    ['directives that are none', () => ({ request: aRequest({ directives: { evil: 1 } as object }) }), /directives/],
    ['a title as long as a book', () => ({ request: aRequest({ title: 'x'.repeat(100_000) }) }), /title/],
  ];
  it.each(cases)('is refused for %s', async (_, changes, reason) => {
    const given = changes();
    const inputs = given.request?.inputs.some(({ path }) => path !== '/data/data.mtz') === true;
    const request = given.request && { ...given.request, inputs: inputs ? given.request.inputs : [] };
    const bad = await ground.write({ ...given, ...(request && { request }) });
    const good = await ground.write();
    const report = await ground.trusted();
    expect(idsOf(report)).toEqual([good.id]);
    expect(report.skipped).toMatchObject([{ folder: bad.folder, reason: expect.stringMatching(reason) as string }]);
  });

  it('is refused for a file of another proposal, which who submitted it may have been allowed to read where it is signed', async () => {
    const path = join(ground.data, 'mx2/data.mtz');
    mkdirSync(join(ground.data, 'mx2'));
    writeFileSync(path, 'data');
    const session = await ground.write({ request: aRequest({ proposal: 'mx1', inputs: [aFile({ path })] }) });
    const dataRoots = [proposalsRoot(ground.data, 'proposals')];
    const keys = readInstallationKeys(ground.keyFile, ground.work);
    const signed = await ground.recovered(ground.store(), new SessionFolder(ground.work, { dataRoots, keys }));
    expect(idsOf(signed)).toEqual([session.id]);
    const report = await ground.trusted(ground.store(), new SessionFolder(ground.work, { dataRoots }));
    expect(report).toMatchObject({
      recovered: [],
      skipped: [{ reason: expect.stringContaining('outside') as string }],
    });
  });

  it('continues without a missing file, and names it', async () => {
    const session = await ground.write();
    rmSync(join(ground.data, 'data.mtz'));
    expect((await ground.recovered()).recovered).toMatchObject([
      { id: session.id, missingFiles: [join(ground.data, 'data.mtz')] },
    ]);
  });
});

describe('the key of an installation', () => {
  it('is refused in a folder that programs read and write', () => {
    cpSync(ground.keyFile, join(ground.work, 'key'));
    expect(() => readInstallationKeys(join(ground.work, 'key'), ground.work)).toThrow(/can read it/);
    symlinkSync(join(ground.work, 'key'), join(ground.top, 'link'));
    expect(() => readInstallationKeys(join(ground.top, 'link'), ground.work)).toThrow(/can read it/);
  });

  it.each([
    'short',
    '',
    '# only words',
    Buffer.alloc(31, 1).toString('base64'),
    'a line with spaces in it that is long enough',
  ])('is refused when it is invalid (%j), and never shown', (text) => {
    writeFileSync(ground.keyFile, text);
    const read = (): unknown => readInstallationKeys(ground.keyFile, ground.work);
    expect(read).toThrow(/FLEET_INSTALLATION_KEY_FILE/);
    if (text.length > 10) expect(read).not.toThrow(text);
  });

  it('is in no file that is signed with it', async () => {
    const session = await ground.write();
    const key = readFileSync(ground.keyFile, 'utf8').trim();
    const text = readFileSync(fileOf(session), 'utf8');
    for (const form of [key, Buffer.from(key, 'base64').toString('hex')]) expect(text).not.toContain(form);
  });
});
