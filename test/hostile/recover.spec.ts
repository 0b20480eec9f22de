import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Session } from '@fleet/contracts';
import { recoverSessions, type RecoveryReport } from '@fleet/recovery';
import { readInstallationKeys, SessionFolder } from '@fleet/session-folder';
import { MemorySessionStore } from '@fleet/session-store';
import { aCycle, aDecision, aFile, anId, aRequest, aResult, aSession, ManualClock } from '@fleet/testing';

const clock = new ManualClock();
let top: string;
let work: string;
let data: string;
let keyFile: string;

const folders = (file: string | undefined = keyFile): SessionFolder =>
  new SessionFolder(work, { dataRoots: [data], keys: readInstallationKeys(file, work) });

const aKey = (): string => randomBytes(32).toString('base64');

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-recover-')));
  [work, data, keyFile] = [join(top, 'work'), join(top, 'data'), join(top, 'key')];
  mkdirSync(work);
  mkdirSync(data);
  writeFileSync(join(data, 'data.mtz'), 'data');
  writeFileSync(join(top, 'secret'), 'secret');
  writeFileSync(keyFile, aKey(), { mode: 0o600 });
});
afterEach(() => {
  rmSync(top, { recursive: true });
});

const aStored = (changes: Partial<Session> = {}): Session => {
  const request = aRequest({ inputs: [aFile({ path: join(data, 'data.mtz') })], ...changes.request });
  const session = aSession({ ...changes, request });
  return { ...session, folder: folders().pathOf(request.proposal, session.id) };
};

const write = async (changes: Partial<Session> = {}): Promise<Session> => {
  const session = aStored(changes);
  await folders().writeSession(session);
  return session;
};

const fileOf = ({ folder }: Pick<Session, 'folder'>): string => join(folder, 'session.json');

type Editable = { schemaVersion: unknown; signature?: unknown; session: Record<string, unknown> };
const edit = (session: Session, change: (content: Editable) => void): void => {
  const content = JSON.parse(readFileSync(fileOf(session), 'utf8')) as Editable;
  change(content);
  writeFileSync(fileOf(session), JSON.stringify(content));
};

const recovered = (store = new MemorySessionStore(clock), from = folders()): Promise<RecoveryReport> =>
  recoverSessions({ store, clock, folders: from });

/** Everything that cannot be authenticated is trusted, by somebody who has not looked. */
const trusted = async (store = new MemorySessionStore(clock), from = folders()): Promise<RecoveryReport> => {
  const first = await recovered(store, from);
  const digests = Object.fromEntries(first.untrusted.map(({ id, digest }) => [id, digest]));
  const then = await recoverSessions({ store, clock, folders: from, trust: { digests, by: 'somebody' } });
  return { ...then, recovered: [...first.recovered, ...then.recovered] };
};

const idsOf = ({ recovered: some }: RecoveryReport): string[] => some.map(({ id }) => id);

describe('a session.json that somebody has edited', () => {
  it.each<[string, (content: Editable) => void]>([
    ['another input', ({ session }) => Object.assign(session.request as object, { title: 'another' })],
    ['another owner', ({ session }) => Object.assign(session.request as object, { submitter: 'root' })],
    ['another place', ({ session }) => Object.assign(session, { cycle: 7 })],
    ['a member more', ({ session }) => Object.assign(session, { extra: 1 })],
    ['no signature', (content) => delete content.signature],
    ['half a signature', (content) => (content.signature = { key: 'x' })],
    ['a signature of another key', (content) => Object.assign(content.signature as object, { key: '00000000' })],
    ['an empty signature', (content) => Object.assign(content.signature as object, { mac: '' })],
  ])('(%s) is left out until it is trusted, and the others are recovered', async (_, change) => {
    const [edited, other] = [await write(), await write()];
    edit(edited, change);
    const store = new MemorySessionStore(clock);
    const report = await recovered(store);
    expect([idsOf(report), report.untrusted.map(({ id }) => id)]).toEqual([[other.id], [edited.id]]);
    await expect(store.load(edited.id)).resolves.toBeUndefined();
    expect(idsOf(await trusted(store))).toEqual([edited.id]);
  });

  it('may be spaced and ordered in any way: what is signed is its content', async () => {
    const session = await write({ cycles: [] });
    const { session: record, ...rest } = JSON.parse(readFileSync(fileOf(session), 'utf8')) as Editable;
    const turned = Object.fromEntries(Object.entries(record).reverse());
    writeFileSync(fileOf(session), JSON.stringify({ session: turned, ...rest }));
    expect(idsOf(await recovered())).toEqual([session.id]);
  });

  it('does not become another session by moving, nor by taking its signature along', async () => {
    const [one, other] = [await write(), await write()];
    cpSync(fileOf(one), fileOf(other));
    const elsewhere = join(work, 'mx9', one.id);
    mkdirSync(elsewhere, { recursive: true });
    cpSync(fileOf(one), join(elsewhere, 'session.json'));
    const report = await trusted();
    expect(idsOf(report)).toEqual([one.id]);
    expect(report.leftOut.map(({ folder, code }) => [folder, code]).sort()).toEqual(
      [
        [other.folder, 'session_file.misplaced'],
        [elsewhere, 'session_file.misplaced'],
      ].sort(),
    );
  });

  it('is accepted with any key of the file, and signed with the first', async () => {
    const session = await write();
    const old = readFileSync(keyFile, 'utf8');
    writeFileSync(keyFile, `# the new one first\n${aKey()}\n${old}\n`);
    expect(idsOf(await recovered())).toEqual([session.id]);
    await folders().writeSession(session);
    const both = readFileSync(keyFile, 'utf8');
    writeFileSync(keyFile, old);
    expect((await recovered()).untrusted).toMatchObject([
      { id: session.id, reason: expect.stringContaining('key') as string },
    ]);
    writeFileSync(keyFile, both);
    expect(idsOf(await recovered())).toEqual([session.id]);
  });

  it('tells nothing without a key: every session asks for trust', async () => {
    const session = await write();
    const bare = new SessionFolder(work, { dataRoots: [data] });
    const report = await recovered(new MemorySessionStore(clock), bare);
    expect(report).toMatchObject({ recovered: [], untrusted: [{ id: session.id }] });
    expect(report.untrusted[0]?.reason).toContain('FLEET_INSTALLATION_KEY_FILE');
  });
});

describe('a session.json that is trusted, whatever it says', () => {
  const outside = (): string => join(top, 'secret');
  const cases: [string, () => Partial<Session>, RegExp][] = [
    [
      'an input outside of the roots',
      () => ({ request: aRequest({ inputs: [aFile({ path: outside() })] }) }),
      /outside/,
    ],
    [
      'an input by way of ..',
      () => ({ request: aRequest({ inputs: [aFile({ path: `${data}/../secret` })] }) }),
      /outside/,
    ],
    [
      'an input that a link leads out',
      () => {
        symlinkSync(outside(), join(data, 'link.mtz'));
        return { request: aRequest({ inputs: [aFile({ path: join(data, 'link.mtz') })] }) };
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
            result: aResult({ outputs: [aFile({ path: join(work, 'mx1', anId(), 'c001-refine/a1/out.pdb') })] }),
          }),
        ],
      }),
      /does not lie in its session folder/,
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
    const bad = await write({ ...given, ...(request && { request }) });
    const good = await write();
    const report = await trusted();
    expect(idsOf(report)).toEqual([good.id]);
    expect(report.leftOut).toMatchObject([{ folder: bad.folder, reason: expect.stringMatching(reason) as string }]);
  });

  it('goes on without a file that has gone, and says which', async () => {
    const session = await write();
    rmSync(join(data, 'data.mtz'));
    expect((await recovered()).recovered).toMatchObject([{ id: session.id, missingFiles: [join(data, 'data.mtz')] }]);
  });
});

describe('what stands in the place of session.json', () => {
  const inPlace = (make: (path: string) => void, id = anId()): string => {
    const folder = join(work, 'mx1', id);
    mkdirSync(folder, { recursive: true });
    make(join(folder, 'session.json'));
    return folder;
  };
  const withText = (text: string): string =>
    inPlace((path) => {
      writeFileSync(path, text);
    });

  it.each<[string, () => string, RegExp]>([
    ['a link to a device', () => inPlace((path) => symlinkSync('/dev/zero', path)), /link/],
    ['a link to a file outside', () => inPlace((path) => symlinkSync(join(top, 'secret'), path)), /link/],
    ['a folder', () => inPlace((path) => mkdirSync(path)), /folder/],
    [
      'a gigabyte of nothing',
      () =>
        inPlace((path) => {
          writeFileSync(path, '');
          truncateSync(path, 1024 ** 3);
        }),
      /at most/,
    ],
    ['lists a million deep', () => withText('['.repeat(1_000_000)), /levels deep/],
    ['objects a million deep', () => withText('{"a":'.repeat(1_000_000)), /levels deep/],
    ['two million values', () => withText(`[${'0,'.repeat(2_000_000)}0]`), /more than 1000000 values/],
    ['a member twice', () => withText('{"schemaVersion":1,"session":{},"session":{}}'), /twice/],
    [
      'a member twice, spelled in two ways',
      () => withText('{"schemaVersion":1,"session":{},"s\\u0065ssion":{}}'),
      /twice/,
    ],
    ['a prototype', () => withText('{"schemaVersion":1,"session":{"__proto__":{"status":"running"}}}'), /__proto__/],
    ['a text without an end', () => withText(`{"schemaVersion":1,"session":"${'\\"'.repeat(1_000_000)}`), /cut off/],
    ['nothing', () => withText(''), /JSON/],
    ['a number beyond all', () => withText('{"schemaVersion":1e999}'), /layout/],
  ])('(%s) is left out with its reason, and the rest is recovered', async (_, make, reason) => {
    const folder = make();
    const good = await write();
    const report = await recovered();
    expect(idsOf(report)).toEqual([good.id]);
    expect(report.leftOut).toMatchObject([{ folder, reason: expect.stringMatching(reason) as string }]);
  });

  it('(26 pipes that nobody writes to) does not hold up the others', async () => {
    const pipes = Array.from({ length: 26 }, () => inPlace((path) => execFileSync('mkfifo', [path])));
    const good = await write();
    const report = await recovered();
    expect(idsOf(report)).toEqual([good.id]);
    expect(report.leftOut.map(({ folder, code }) => [folder, code])).toEqual(
      [...pipes].sort().map((folder) => [folder, 'file.not_regular']),
    );
  });

  it.each(['zzzzzzzzzzzzzzzzzzzzzzzzzz', '01jd700000000000000000000u', '../../../../etc', '', 'A'.repeat(26)])(
    '(of a session with the id %j, which no address can name) is left out',
    async (id) => {
      const session = await write();
      const folder = join(work, 'mx1', /^[0-9a-z]{26}$/.test(id) ? id : anId());
      cpSync(session.folder, folder, { recursive: true });
      edit({ folder } as Session, (content) => Object.assign(content.session, { id, folder }));
      const report = await trusted();
      expect(idsOf(report)).toEqual([session.id]);
      expect(report.leftOut).toMatchObject([{ folder, code: 'session_file.damaged' }]);
    },
  );

  it('(of a newer release) is told as newer, not as damaged', async () => {
    const session = await write();
    edit(session, (content) => (content.schemaVersion = 2));
    const [left] = (await recovered()).leftOut;
    expect(left).toMatchObject({
      code: 'session_file.newer',
      reason: expect.stringContaining('It is not damaged') as string,
    });
  });
});

describe('folders that are not what they seem', () => {
  it('are not looked through: a linked proposal and a linked session are left out', async () => {
    const good = await write();
    const elsewhere = join(top, 'elsewhere', good.id);
    mkdirSync(dirname(elsewhere));
    cpSync(good.folder, elsewhere, { recursive: true });
    symlinkSync(dirname(elsewhere), join(work, 'linked'));
    const linked = join(work, 'mx1', anId());
    symlinkSync(elsewhere, linked);
    const report = await trusted();
    expect(idsOf(report)).toEqual([good.id]);
    expect(report.leftOut.map(({ folder }) => folder).sort()).toEqual([join(work, 'linked'), linked].sort());
  });

  it('of many odd names do not hold up the session among them', async () => {
    const good = await write();
    // A hundred thousand take seconds more, most of it to make them.
    execFileSync('sh', ['-c', 'seq 1 10000 | xargs mkdir'], { cwd: join(work, 'mx1') });
    const report = await recovered();
    expect([idsOf(report), report.leftOut]).toEqual([[good.id], []]);
  }, 60_000);

  it('do not let anything be written through them', async () => {
    const session = await write({ status: 'running' });
    const victim = join(top, 'victim');
    writeFileSync(victim, 'untouched');
    for (const name of ['session.json', 'summary.md']) {
      rmSync(join(session.folder, name), { force: true });
      symlinkSync(victim, join(session.folder, name));
    }
    await folders().writeSession(session);
    await folders().writeSummary(session, '# summary');
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
    expect(readFileSync(join(session.folder, 'summary.md'), 'utf8')).toBe('# summary');
    rmSync(session.folder, { recursive: true });
    mkdirSync(join(top, 'target'));
    symlinkSync(join(top, 'target'), session.folder);
    await expect(folders().writeSession(session)).rejects.toMatchObject({ code: 'file.outside_root' });
    await expect(folders().writeSummary(session, '#')).rejects.toMatchObject({ code: 'file.outside_root' });
  });

  it('give way: a folder in the place of session.json is put aside, told, and the session is kept', async () => {
    const session = await write();
    const warnings: string[] = [];
    rmSync(fileOf(session));
    mkdirSync(join(fileOf(session), 'deep'), { recursive: true });
    const keys = readInstallationKeys(keyFile, work);
    const told = new SessionFolder(work, { dataRoots: [data], keys, onWarning: (message) => warnings.push(message) });
    await told.writeSession(session);
    expect(idsOf(await recovered())).toEqual([session.id]);
    expect(warnings).toEqual([expect.stringContaining('session.json.was-in-the-way-')]);
  });
});

describe('the key of an installation', () => {
  it('that lies where programs read and write is refused', () => {
    cpSync(keyFile, join(work, 'key'));
    expect(() => readInstallationKeys(join(work, 'key'), work)).toThrow(/can read it/);
    symlinkSync(join(work, 'key'), join(top, 'link'));
    expect(() => readInstallationKeys(join(top, 'link'), work)).toThrow(/can read it/);
  });

  it.each([
    'short',
    '',
    '# only words',
    Buffer.alloc(31, 1).toString('base64'),
    'a line with spaces in it that is long enough',
  ])('is refused where it is none (%j), and never shown', (text) => {
    writeFileSync(keyFile, text);
    const read = (): unknown => readInstallationKeys(keyFile, work);
    expect(read).toThrow(/FLEET_INSTALLATION_KEY_FILE/);
    if (text.length > 10) expect(read).not.toThrow(text);
  });

  it('stands in no file that is written with it', async () => {
    const session = await write();
    const key = readFileSync(keyFile, 'utf8').trim();
    const text = readFileSync(fileOf(session), 'utf8');
    for (const form of [key, Buffer.from(key, 'base64').toString('hex')]) expect(text).not.toContain(form);
  });
});
