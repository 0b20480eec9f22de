import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sharedRoot } from '@fleet/access';
import type { Session } from '@fleet/contracts/sessions';
import { aCycle, aRequest, aSession, useFolder } from '@fleet/testing';
import { isProposalName } from './folder-names';
import { SessionFolder } from './session-folder';

const top = useFolder('file');
const root = join(top, 'work');
const dataRoots = [sharedRoot('/data')];
const folders = new SessionFolder(root, { dataRoots });

beforeEach(() => mkdirSync(root));
afterEach(() => rmSync(root, { recursive: true }));

const aStoredSession = (changes: Partial<Session> = {}): Session => {
  const session = aSession({ cycles: [aCycle()], ...changes });
  return { ...session, folder: folders.pathOf(session.request.proposal, session.id) };
};

describe('session.json', () => {
  it('restores the whole written session', async () => {
    const session = aStoredSession({
      status: 'completed',
      stop: { reason: 'converged', detail: 'done', afterCycle: 1 },
    });
    await folders.writeSession(session);
    expect((await folders.readSession(session.folder)).session).toEqual(session);
    expect(readdirSync(session.folder)).toEqual(['session.json']);
  });

  it('is replaced atomically', async () => {
    const session = aStoredSession();
    await folders.writeSession(session);
    await folders.writeSession({ ...session, version: 7 });
    expect((await folders.readSession(session.folder)).session.version).toBe(7);
    expect(readdirSync(session.folder)).toEqual(['session.json']);
  });

  it('is not changed by a write test', async () => {
    const session = aStoredSession();
    await folders.writeSession(session);
    await folders.tryFolder({ ...session, version: 7 });
    expect((await folders.readSession(session.folder)).session).toEqual(session);
    expect(readdirSync(session.folder)).toEqual(['session.json']);
  });

  it('lists every invalid field', async () => {
    const session = aStoredSession();
    await folders.writeSession(session);
    const path = join(session.folder, 'session.json');
    const content = JSON.parse(readFileSync(path, 'utf8')) as { session: Record<string, unknown> };
    delete content.session.stage;
    content.session.version = 'seven';
    writeFileSync(path, JSON.stringify(content));
    await expect(folders.readSession(session.folder)).rejects.toMatchObject({
      code: 'session_file.damaged',
      message: expect.stringMatching(
        /session\.stage is missing; session\.version must be a whole number.*, not "seven"/,
      ) as string,
    });
  });

  it('is rejected when it is missing, truncated, or of a newer release', async () => {
    const session = aStoredSession();
    await expect(folders.readSession(session.folder)).rejects.toMatchObject({ code: 'session_file.missing' });
    mkdirSync(session.folder, { recursive: true });
    await expect(folders.readSession(session.folder)).rejects.toMatchObject({ code: 'session_file.missing' });
    writeFileSync(join(session.folder, 'session.json'), '{"schemaVersion": 1, "ses');
    await expect(folders.readSession(session.folder)).rejects.toMatchObject({ code: 'session_file.damaged' });
    writeFileSync(join(session.folder, 'session.json'), '{"schemaVersion": 2}');
    await expect(folders.readSession(session.folder)).rejects.toMatchObject({ code: 'session_file.newer' });
  });

  it('is rejected in a copy of a session folder', async () => {
    const session = aStoredSession();
    await folders.writeSession(session);
    const copies = [`${session.folder}.bak`, join(root, 'other', session.id)];
    for (const copy of copies) {
      cpSync(session.folder, copy, { recursive: true });
      await expect(folders.readSession(copy)).rejects.toMatchObject({
        code: 'session_file.misplaced',
        message: expect.stringContaining(`${session.request.proposal}/${session.id}`) as string,
      });
    }
    expect((await folders.readSession(session.folder)).session).toEqual(session);
  });

  it('is read from its current location, also when the work root has moved', async () => {
    const session = aStoredSession();
    await folders.writeSession(session);
    const moved = join(top, 'moved');
    renameSync(root, moved);
    const elsewhere = new SessionFolder(moved, { dataRoots });
    const [folder] = await elsewhere.listSessionFolders();
    expect((await elsewhere.readSession(folder!)).session).toEqual({ ...session, folder });
    renameSync(moved, root);
  });
});

describe('paths', () => {
  it('accept only proposals that are valid folder names', () => {
    expect(['mx123', 'cm-1_2.3', '.hidden'].map(isProposalName)).toEqual([true, true, true]);
    expect(['', '.', '..', 'a/b', 'a b', 'ä', '$(x)', 'a\n', 'x'.repeat(65)].filter(isProposalName)).toEqual([]);
    expect(() => folders.pathOf('../../etc', aSession().id)).toThrow('cannot name a folder');
    expect(() => folders.pathOf('mx1', '../x')).toThrow('not a session id');
  });

  it('never lead out of the work root, not by a link either', async () => {
    const outside = join(top, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(root, 'mx1'));
    const session = aStoredSession({ request: aRequest({ proposal: 'mx1' }) });
    await expect(folders.writeSession(session)).rejects.toMatchObject({ code: 'file.outside_root' });
    expect(readdirSync(outside)).toEqual([]);
    await expect(folders.readSession(outside)).rejects.toMatchObject({ code: 'file.outside_root' });
    await expect(folders.writeSession({ ...session, folder: '/etc' })).rejects.toMatchObject({
      code: 'file.outside_root',
    });
  });
});

describe('the other files', () => {
  it('include the log while the program runs and after it was published', () => {
    const session = aStoredSession();
    const cycle = aCycle({ cycle: 3 });
    const running = join(session.folder, 'c003-refine', 'a2.running');
    expect(folders.logPath(session, cycle, 2)).toBe(join(running, 'program.log'));
    mkdirSync(running, { recursive: true });
    renameSync(running, join(session.folder, 'c003-refine', 'a2'));
    expect(folders.logPath(session, cycle, 2)).toBe(join(session.folder, 'c003-refine', 'a2', 'program.log'));
  });

  it('include the summary, and its path', async () => {
    const session = aStoredSession();
    const path = await folders.writeSummary(session, '# solved\n');
    expect(path).toBe(join(session.folder, 'summary.md'));
    expect(readFileSync(path, 'utf8')).toBe('# solved\n');
  });

  it('are ignored: only folders with a session are listed', async () => {
    const sessions = [aStoredSession(), aStoredSession({ request: aRequest({ proposal: 'mx2' }) })];
    for (const session of sessions) await folders.writeSession(session);
    mkdirSync(join(root, 'mx3', 'empty'), { recursive: true });
    writeFileSync(join(root, 'README'), '');
    expect(await folders.listSessionFolders()).toEqual(sessions.map(({ folder }) => folder).sort());
    expect(existsSync(join(root, 'mx3'))).toBe(true);
    expect(await new SessionFolder(join(top, 'nothing')).listSessionFolders()).toEqual([]);
  });

  it('that are unreadable are listed, so that reading them reports why, and the others too', async () => {
    const session = aStoredSession();
    await folders.writeSession(session);
    const closed = [join(root, 'a-circle'), join(root, 'mx9', 'session-in-a-circle')];
    mkdirSync(closed[1]!, { recursive: true });
    symlinkSync('a-circle', closed[0]!);
    symlinkSync('session.json', join(closed[1]!, 'session.json'));
    expect(await folders.listSessionFolders()).toEqual([...closed, session.folder].sort());
    for (const folder of closed)
      await expect(folders.readSession(folder)).rejects.toMatchObject({
        name: 'Fault',
        code: expect.stringMatching(/^(session_file\.missing|file\.is_link)$/) as string,
      });
  });
});
