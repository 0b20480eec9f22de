import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedRoot } from '@fleet/access';
import { releaseVersion, settingDefinitions, type Session } from '@fleet/contracts';
import { SessionFolder } from '@fleet/session-folder';

type Json = Record<string, unknown>;
interface StoredFile {
  readonly session: Session;
}

const stored = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(__dirname, name)).map((file) => join(name, file)));
const contentOf = (file: string): StoredFile => JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as StoredFile;

const root = mkdtempSync(join(tmpdir(), 'fleet-records-'));
const folders = new SessionFolder(root, { dataRoots: [sharedRoot('/data')] });
afterAll(() => {
  rmSync(root, { recursive: true });
});

/** Puts the file where its session belongs. */
const put = (content: StoredFile): string => {
  const folder = folders.pathOf(content.session.request.proposal, content.session.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'session.json'), JSON.stringify(content));
  return folder;
};

/** As it is read where the work root has moved. */
const read = async (content: StoredFile): Promise<Session> => (await folders.readSession(put(content))).session;

/** With the work root of the record in the place of ours. */
const asRecorded = (session: Session, content: StoredFile): Session =>
  JSON.parse(JSON.stringify(session).replaceAll(session.folder, content.session.folder)) as Session;

/** The record with one part of it changed in place. */
const changed = (
  file: string,
  change: (session: Json & { request: Json & { settings: Json } }) => void,
): StoredFile => {
  const content = contentOf(file);
  change(content.session);
  return content;
};

describe('stored records of every release', () => {
  it('hold one of this release', () => {
    expect(stored.some((file) => file.startsWith(releaseVersion))).toBe(true);
  });

  it.each(stored)('%s is read whole', async (file) => {
    const content = contentOf(file);
    expect(asRecorded(await read(content), content)).toMatchObject(content.session);
  });

  it.each(stored)('%s of a release that had none of the settings is read with their defaults', async (file) => {
    const content = changed(file, ({ request }) => (request.settings = {}));
    const defaults = Object.fromEntries(Object.entries(settingDefinitions).map(([name, one]) => [name, one.default]));
    expect((await read(content)).request.settings).toEqual(defaults);
  });

  it.each(stored)('%s of a newer release keeps what this one does not know, through a round trip', async (file) => {
    const content = changed(file, (session) => {
      session.newer_member = 'kept';
      session.request.settings.newer_setting = 7;
      (session.cycles as Json[]).forEach((cycle) => (cycle.newer_part = { of: 1 }));
    });
    const folder = put(content);
    await folders.writeSession((await folders.readSession(folder)).session);
    const again = (await folders.readSession(folder)).session;
    expect(asRecorded(again, content)).toMatchObject(content.session);
  });

  it.each(stored)('%s with a part missing that has no default is refused by its field', async (file) => {
    const content = changed(file, (session) => {
      delete session.stage;
      delete (session.cycles as Json[])[0]?.decision;
    });
    await expect(read(content)).rejects.toMatchObject({
      code: 'session_file.damaged',
      problems: [{ field: 'session.stage' }, { field: 'session.cycles[0].decision', reason: 'is missing' }],
    });
  });
});
