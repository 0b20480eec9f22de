import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedRoot } from '@fleet/access';
import { emptyReading } from '@fleet/contracts/guidance';
import { releaseVersion, settingDefinitions } from '@fleet/contracts/service';
import type { Session } from '@fleet/contracts/sessions';
import { SessionFolder } from '@fleet/session-folder';
import { useFolder } from '@fleet/testing';

type Json = Record<string, unknown>;
interface StoredFile {
  readonly session: Session;
}

const stored = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(__dirname, name)).map((file) => join(name, file)));
const contentOf = (file: string): StoredFile => JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as StoredFile;

const root = useFolder('file');
const folders = new SessionFolder(root, { dataRoots: [sharedRoot('/data')] });

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

  it.each(stored)('%s that waits is read by the names of before the first release', async (file) => {
    const at = '2026-11-01T10:00:00.000Z';
    const launched = { attempt: 1, backend: 'local', provider: 'phenix', programVersion: '2.0' };
    const content = changed(file, (session) => {
      session.waiting = { since: at, because: 'no model answers' };
      for (const cycle of session.cycles as Json[])
        cycle.waiting = { ...launched, since: at, inLine: true, because: 'no slot is free', toldAt: at };
    });
    const { waiting, cycles } = await read(content);
    expect(waiting).toEqual({ since: at, reason: 'no model answers' });
    expect(cycles.map((cycle) => cycle.waiting)).toEqual(
      cycles.map(() => ({ ...launched, since: at, queuedOnBackend: true, reason: 'no slot is free', reportedAt: at })),
    );
  });

  it.each(stored)('%s of a fork with advice is read by the names of before the first release', async (file) => {
    const from = { session: '01jd7v9s6m2x4k8q0w5c3b1n7r', afterCycle: 1 };
    const programs = [{ program: 'phenix.refine', times: 2 }];
    const guidance = {
      ...{ revision: 1, at: '2026-11-01T10:00:00.000Z', sources: [], hash: 'a', reader: 'rules', overruled: [] },
      reading: { ...emptyReading, text: 'refine twice' },
    };
    const content = changed(file, (session) => {
      session.request.forkedFrom = { ...from, asked: 'ab' };
      session.guidance = { ...guidance, reading: { ...guidance.reading, asked: programs } };
    });
    const session = await read(content);
    expect(session.request.forkedFrom).toEqual({ ...from, requestDigest: 'ab' });
    expect(session.guidance?.reading).toEqual({ ...guidance.reading, requestedPrograms: programs });
  });

  it.each(stored)('%s keeps members of those names that are elsewhere', async (file) => {
    const elsewhere = { waiting: { because: 'it is another thing', constructor: 1 } };
    const content = changed(file, (session) => {
      session.newer_part = elsewhere;
    });
    expect(await read(content)).toMatchObject({ newer_part: elsewhere });
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
