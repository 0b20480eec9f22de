import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anId, useStarted, useStores } from '@fleet/testing';
import { edit, fileOf, idsOf, RecoveryGround } from './recovery-ground';

const newStore = useStores();
const ground = useStarted('test', () => new RecoveryGround(newStore));

describe('unreadable session.json', () => {
  const inPlace = (make: (path: string) => void, id = anId()): string => {
    const folder = join(ground.work, 'mx1', id);
    mkdirSync(folder, { recursive: true });
    make(join(folder, 'session.json'));
    return folder;
  };
  const withText = (text: string): string => inPlace((path) => writeFileSync(path, text));

  const linked = (target: string): string => inPlace((path) => symlinkSync(target, path));

  it.each<[string, () => string, RegExp]>([
    ['a link to a device', () => linked('/dev/zero'), /link/],
    ['a link to a file outside', () => linked(ground.secret), /link/],
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
    ['a text without an end', () => withText(`{"schemaVersion":1,"session":"${'\\"'.repeat(1_000_000)}`), /truncated/],
    ['nothing', () => withText(''), /JSON/],
    ['a number beyond all', () => withText('{"schemaVersion":1e999}'), /layout/],
  ])('(%s) is skipped with its reason, and the rest is recovered', async (_, make, reason) => {
    const folder = make();
    const good = await ground.write();
    const report = await ground.recovered();
    expect(idsOf(report)).toEqual([good.id]);
    expect(report.skipped).toMatchObject([{ folder, reason: expect.stringMatching(reason) as string }]);
  });

  it('(26 pipes without a writer) does not block the others', async () => {
    const pipes = Array.from({ length: 26 }, () => inPlace((path) => execFileSync('mkfifo', [path])));
    const good = await ground.write();
    const report = await ground.recovered();
    expect(idsOf(report)).toEqual([good.id]);
    expect(report.skipped.map(({ folder, code }) => [folder, code])).toEqual(
      [...pipes].sort().map((folder) => [folder, 'file.not_regular']),
    );
  });

  it.each(['zzzzzzzzzzzzzzzzzzzzzzzzzz', '01jd700000000000000000000u', '../../../../etc', '', 'A'.repeat(26)])(
    '(of a session with the id %j, which no address can name) is left out',
    async (id) => {
      const session = await ground.write();
      const folder = join(ground.work, 'mx1', /^[0-9a-z]{26}$/.test(id) ? id : anId());
      cpSync(session.folder, folder, { recursive: true });
      edit({ folder }, (content) => Object.assign(content.session, { id, folder }));
      const report = await ground.trusted();
      expect(idsOf(report)).toEqual([session.id]);
      expect(report.skipped).toMatchObject([{ folder, code: 'session_file.damaged' }]);
    },
  );

  it('(of a newer release) is reported as newer, not as damaged', async () => {
    const session = await ground.write();
    edit(session, (content) => (content.schemaVersion = 2));
    const [left] = (await ground.recovered()).skipped;
    expect(left).toMatchObject({
      code: 'session_file.newer',
      reason: expect.stringContaining('It is not damaged') as string,
    });
  });
});

describe('folders that are not what they seem', () => {
  it('are not searched: a linked proposal and a linked session are skipped', async () => {
    const good = await ground.write();
    const elsewhere = join(ground.top, 'elsewhere', good.id);
    mkdirSync(dirname(elsewhere));
    cpSync(good.folder, elsewhere, { recursive: true });
    symlinkSync(dirname(elsewhere), join(ground.work, 'linked'));
    const linked = join(ground.work, 'mx1', anId());
    symlinkSync(elsewhere, linked);
    const report = await ground.trusted();
    expect(idsOf(report)).toEqual([good.id]);
    expect(report.skipped.map(({ folder }) => folder).sort()).toEqual([join(ground.work, 'linked'), linked].sort());
  });

  it('of many odd names do not block the session among them', async () => {
    const good = await ground.write();
    // A hundred thousand take seconds more, most of it to make them.
    execFileSync('sh', ['-c', 'seq 1 10000 | xargs mkdir'], { cwd: join(ground.work, 'mx1') });
    const report = await ground.recovered();
    expect([idsOf(report), report.skipped]).toEqual([[good.id], []]);
  }, 60_000);

  it('allow no writes through links', async () => {
    const session = await ground.write({ status: 'running' });
    const victim = join(ground.top, 'victim');
    writeFileSync(victim, 'untouched');
    for (const name of ['session.json', 'summary.md']) {
      rmSync(join(session.folder, name), { force: true });
      symlinkSync(victim, join(session.folder, name));
    }
    await ground.folders().writeSession(session);
    await ground.folders().writeSummary(session, '# summary');
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
    expect(readFileSync(join(session.folder, 'summary.md'), 'utf8')).toBe('# summary');
    rmSync(session.folder, { recursive: true });
    mkdirSync(join(ground.top, 'target'));
    symlinkSync(join(ground.top, 'target'), session.folder);
    await expect(ground.folders().writeSession(session)).rejects.toMatchObject({ code: 'file.outside_root' });
    await expect(ground.folders().writeSummary(session, '#')).rejects.toMatchObject({ code: 'file.outside_root' });
  });

  it('are replaced: a folder named session.json is moved aside with a message, and the session is stored', async () => {
    const session = await ground.write();
    const warnings: string[] = [];
    rmSync(fileOf(session));
    mkdirSync(join(fileOf(session), 'deep'), { recursive: true });
    const folder = ground.folders((message) => warnings.push(message));
    await folder.writeSession(session);
    expect(idsOf(await ground.recovered())).toEqual([session.id]);
    expect(warnings).toEqual([expect.stringContaining('session.json.was-in-the-way-')]);
  });
});
