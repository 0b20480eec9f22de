import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { errnoOf, Fault, isFault, isTransient, type Session, type StoredEvent } from '@fleet/contracts';
import type { ArchiveFolder, ArchiveProof, SessionHistory, WholeSession } from '@fleet/ports';
import { readWholeUnder } from '@fleet/untrusted-files';
import { eventsFileName, eventsFileText, largestEventsFile, parseEventsFile, type ReadHistory } from './events-file';
import { reasonOf } from './folder-faults';
import { inSessionFolder } from './in-session-folder';
import { largestSessionFile, parseSessionFile, readProvenFile, sessionFileName, sessionFileText } from './session-file';
import type { SessionFolderOptions } from './session-folder';
import type { InstallationKey } from './session-signature';
import { putAside, writeWhole } from './write-whole';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Errors that say that there is no such file, and nothing of the disk. */
const notThere: readonly string[] = ['ENOENT', 'ENOTDIR'];

/** Archived sessions in their folders, `<work root>/<proposal>/<session id>`. */
export class SessionArchiveFolder implements ArchiveFolder {
  private readonly keys: readonly InstallationKey[];
  private readonly onWarning: (message: string) => void;

  /** @param workRoot absolute */
  constructor(
    private readonly workRoot: string,
    { keys = [], onWarning = (): void => undefined }: Pick<SessionFolderOptions, 'keys' | 'onWarning'> = {},
  ) {
    this.keys = keys;
    this.onWarning = onWarning;
  }

  async keep(whole: WholeSession): Promise<ArchiveProof> {
    const { session } = whole;
    const record = sessionFileText(session, this.keys);
    const events = eventsFileText(await this.withEarlier(whole), this.keys);
    await inSessionFolder(this.workRoot, session, async ({ folder }) => {
      await writeWhole(folder, sessionFileName, record);
      await writeWhole(folder, eventsFileName, events);
    });
    const proof = { version: session.version, record: digestOf(record), events: digestOf(events) };
    parseSessionFile(await this.recordText(session.folder, proof), join(session.folder, sessionFileName), this.keys);
    await this.history(session.folder, proof);
    return proof;
  }

  /** The digest proves that it is what was kept, and so what was checked then. */
  async record(folder: string, proof: ArchiveProof): Promise<Session> {
    return readProvenFile(await this.recordText(folder, proof), join(folder, sessionFileName));
  }

  private recordText(folder: string, { record }: ArchiveProof): Promise<string> {
    return this.archived(join(folder, sessionFileName), largestSessionFile, record);
  }

  async history(folder: string, { events }: ArchiveProof): Promise<SessionHistory> {
    const path = join(folder, eventsFileName);
    const history = parseEventsFile(await this.archived(path, largestEventsFile, events), basename(folder), this.keys);
    // It is what was archived, so another release has written it.
    if (history === undefined) throw newer(path);
    return history;
  }

  /**
   * A store that was lost and rebuilt knows the session from `session.json` alone; what an archive before that has kept of its events
   * comes first.
   */
  private async withEarlier(whole: WholeSession): Promise<WholeSession> {
    const earlier = await this.earlier(whole.session);
    if (earlier === undefined) return whole;
    const known = new Set(whole.events.map(({ id }) => id));
    const missing = earlier.events.filter((event) => !known.has(event.id));
    if (missing.length === 0) return whole;
    return {
      ...whole,
      events: [...missing, ...whole.events].sort(byId),
      transitions: [...earlier.transitions, ...whole.transitions],
    };
  }

  private async earlier(session: Session): Promise<ReadHistory | undefined> {
    const read = await this.readEarlier(session);
    if (read === 'none') return undefined;
    if (read?.authenticity === 'authentic' || read?.authenticity === 'no_key') return read;
    await this.putAside(session);
    return undefined;
  }

  /** Undefined: what is there is no file of events. */
  private async readEarlier(session: Session): Promise<ReadHistory | 'none' | undefined> {
    try {
      const text = await this.readIfThere(join(session.folder, eventsFileName), largestEventsFile);
      return text === undefined ? 'none' : parseEventsFile(text, session.id, this.keys);
    } catch (error) {
      if (!isFault(error) || isTransient(error)) throw error;
      return undefined;
    }
  }

  /** What nobody here has written is not taken over, and not destroyed. */
  private async putAside(session: Session): Promise<void> {
    const aside = await inSessionFolder(this.workRoot, session, ({ folder }) => putAside(folder, eventsFileName));
    this.onWarning(`${session.folder}: ${eventsFileName} is not what this installation wrote; it is ${aside} now`);
  }

  private async archived(path: string, maxBytes: number, digest: string): Promise<string> {
    const text = await this.readIfThere(path, maxBytes);
    if (text === undefined) throw missing(path);
    if (digestOf(text) !== digest) throw altered(path);
    return text;
  }

  private async readIfThere(path: string, maxBytes: number): Promise<string | undefined> {
    try {
      return await readWholeUnder(this.workRoot, path, maxBytes);
    } catch (cause) {
      const errno = errnoOf(cause);
      if (notThere.includes(errno ?? '')) return undefined;
      if (isFault(cause) || errno === undefined) throw cause;
      throw new Fault('storage.unreadable', 'transient', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
    }
  }
}

const missing = (path: string): Fault =>
  new Fault(
    'archive.missing',
    'conflict',
    `${path} is gone. The session is archived, so that its record lies in this file alone. Restore the folder ${dirname(path)} from a backup.`,
  );

const newer = (path: string): Fault =>
  new Fault(
    'session_file.newer',
    'conflict',
    `${path} was written by a newer release, in a layout that this one does not read. It is not damaged: read it with that release.`,
  );

const altered = (path: string): Fault =>
  new Fault(
    'archive.altered',
    'conflict',
    `${path} is not the file that was archived: it was changed or replaced afterwards. Restore the folder ${dirname(path)} from a backup.`,
  );

/** In the order of the stream. */
const byId = (one: StoredEvent, other: StoredEvent): number => {
  const [[time = 0n, number = 0n], [otherTime = 0n, otherNumber = 0n]] = [numbersOf(one), numbersOf(other)];
  return Number(time === otherTime ? number - otherNumber : time - otherTime);
};

const numbersOf = ({ id }: StoredEvent): readonly bigint[] => id.split('-').map(BigInt);
