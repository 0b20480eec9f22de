import { proposalsRoot, type DataRoot } from '@fleet/access';
import { lstatSync } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { errnoOf, Fault, isFault } from '@fleet/contracts/faults';
import { attemptFiles, attemptFolder, cycleFolder, runningSuffix } from '@fleet/contracts/runs';
import type { CycleRecord, FilePin, Session, SessionHead } from '@fleet/contracts/sessions';
import type { PlannedFork, ReadSession, SessionFolderPort } from '@fleet/ports';
import { readWholeUnder } from '@fleet/untrusted-files';
import { carryFiles } from './carried-files';
import { checkPaths } from './check-paths';
import { reasonOf } from './folder-faults';
import { isProposalName, sessionFolderPath } from './folder-names';
import { removeEmpty, type OpenedFolder, type HeldFolder } from './held-folder';
import { inSessionFolder } from './in-session-folder';
import { bytesOfFolder, removeFolder } from './removed-folder';
import { largestSessionFile, parseSessionFile, sessionFileName, sessionFileText } from './session-file';
import type { InstallationKey } from './session-signature';
import { writeBeside, writeWhole } from './write-whole';

const summaryFileName = 'summary.md';
/** Folders read in parallel. */
const together = 32;

export interface SessionFolderOptions {
  /** Folders that may contain submitted files, in addition to the work root. */
  readonly dataRoots?: readonly DataRoot[];
  /** Keys of this installation: the first one signs, all of them are accepted. */
  readonly keys?: readonly InstallationKey[];
  /** Called with the names of files that were moved aside. */
  readonly onWarning?: (message: string) => void;
}

/** Sessions as folders `<work root>/<proposal>/<session id>`. */
export class SessionFolder implements SessionFolderPort {
  private readonly dataRoots: readonly DataRoot[];
  private readonly keys: readonly InstallationKey[];
  private readonly onWarning: (message: string) => void;

  /** @param workRoot absolute */
  constructor(
    private readonly workRoot: string,
    { dataRoots = [], keys = [], onWarning = (): void => undefined }: SessionFolderOptions = {},
  ) {
    this.dataRoots = dataRoots;
    this.keys = keys;
    this.onWarning = onWarning;
  }

  /** The folder of a new session. */
  pathOf(proposal: string, id: string): string {
    return sessionFolderPath(this.workRoot, proposal, id);
  }

  async writeSession(session: Session): Promise<void> {
    await this.replace(session, sessionFileName, sessionFileText(session, this.keys));
  }

  async tryFolder(session: Session): Promise<void> {
    const text = sessionFileText(session);
    await this.inFolder(session, async ({ folder, made }) => {
      try {
        await folder.remove(await writeBeside(folder, sessionFileName, text, true));
      } catch (error) {
        await removeEmpty(made);
        throw error;
      }
    });
  }

  carryFiles(session: Session, afterCycle: number, fork: PlannedFork): Promise<ReadonlyMap<string, FilePin>> {
    return carryFiles(this.workRoot, session, afterCycle, fork);
  }

  async readSession(folder: string): Promise<ReadSession> {
    const path = join(folder, sessionFileName);
    const parsed = parseSessionFile(await this.read(path), path, this.keys);
    // The work root may be mounted elsewhere than when the file was written, but below it a session has one path.
    const { request, id, folder: recorded } = parsed.session;
    const home = this.pathOf(request.proposal, id);
    const location = relative(this.workRoot, home);
    if (relative(home, folder) !== '')
      throw new Fault(
        'session_file.misplaced',
        'conflict',
        `${path} is of the session ${location}, whose folder this is not: a copy?`,
      );
    if (join(basename(dirname(recorded)), basename(recorded)) !== location)
      throw new Fault('session_file.damaged', 'caller', `${path} is damaged: session.folder is not of ${location}`);
    const checked = await checkPaths(parsed.session, resolve(folder), {
      roots: [...this.dataRoots, proposalsRoot(this.workRoot, 'results')],
      isAuthentic: parsed.authenticity === 'authentic',
    });
    return { ...checked, authenticity: parsed.authenticity, digest: parsed.digest };
  }

  async listSessionFolders(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { name, isLink } of await this.entriesOf(this.workRoot)) {
      if (!isProposalName(name)) continue;
      const proposal = join(this.workRoot, name);
      // A link is not followed: reading it reports the link.
      for (const folder of isLink ? [proposal] : await this.sessionsOf(proposal)) found.push(folder);
    }
    return found.sort();
  }

  /** Folders with a session, and unreadable ones, because reading them reports why. */
  private async sessionsOf(proposal: string): Promise<readonly string[]> {
    const entries = await this.entriesOf(proposal).catch((error: unknown) => {
      if (isFault(error) && closed.includes(errnoOf(error.cause) ?? '')) return undefined;
      throw error;
    });
    if (entries === undefined) return [proposal];
    const found: string[] = [];
    for (let from = 0; from < entries.length; from += together) {
      const some = entries.slice(from, from + together).map(({ name }) => join(proposal, name));
      const held = await Promise.all(some.map(mayHoldSession));
      found.push(...some.filter((_, index) => held[index] === true));
    }
    return found;
  }

  async writeSummary(session: Session, markdown: string): Promise<string> {
    await this.replace(session, summaryFileName, markdown);
    return join(this.pathOf(session.request.proposal, session.id), summaryFileName);
  }

  bytesOf(session: Pick<Session, 'id' | 'folder' | 'request'>): Promise<number> {
    return bytesOfFolder(this.workRoot, session);
  }

  remove(session: Pick<Session, 'id' | 'folder' | 'request'>): Promise<number> {
    return removeFolder(this.workRoot, session);
  }

  logPath(
    session: Pick<SessionHead, 'folder'>,
    cycle: Pick<CycleRecord, 'cycle' | 'decision'>,
    attempt: number,
  ): string {
    const name = attemptFolder(cycleFolder(cycle.cycle, cycle.decision.program), attempt);
    const published = join(session.folder, name);
    // A link of that name was created by a program.
    const isPublished = lstatSync(published, { throwIfNoEntry: false })?.isDirectory() === true;
    const folder = isPublished ? published : `${published}${runningSuffix}`;
    return join(folder, attemptFiles.log);
  }

  private async replace(session: Session, name: string, text: string): Promise<void> {
    const aside = await this.inFolder(session, ({ folder }) => writeWhole(folder, name, text));
    if (aside !== undefined) this.onWarning(`${session.folder}: a folder was in place of ${name}; it is ${aside} now`);
  }

  private inFolder<T>(session: Session, act: (held: OpenedFolder & { folder: HeldFolder }) => Promise<T>): Promise<T> {
    return inSessionFolder(this.workRoot, session, act);
  }

  private async read(path: string): Promise<string> {
    try {
      return await readWholeUnder(this.workRoot, path, largestSessionFile);
    } catch (cause) {
      if (isFault(cause) || errnoOf(cause) === undefined) throw cause;
      throw new Fault('session_file.missing', 'not_found', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
    }
  }

  /** Sequentially: a folder may contain a hundred thousand. */
  private async entriesOf(folder: string): Promise<readonly { readonly name: string; readonly isLink: boolean }[]> {
    const found: { name: string; isLink: boolean }[] = [];
    try {
      for await (const entry of await opendir(folder))
        if (entry.isDirectory() || entry.isSymbolicLink())
          found.push({ name: entry.name, isLink: entry.isSymbolicLink() });
      return found;
    } catch (cause) {
      if (['ENOENT', 'ENOTDIR'].includes(errnoOf(cause) ?? '')) return [];
      throw new Fault('storage.unreadable', 'transient', `${folder} cannot be listed: ${reasonOf(cause)}`, { cause });
    }
  }
}

/** Permanent errors: no permission, a loop of links. */
const closed: readonly string[] = ['EACCES', 'EPERM', 'ELOOP'];

/** False only if it certainly contains none. */
const mayHoldSession = async (folder: string): Promise<boolean> => {
  try {
    await lstat(join(folder, sessionFileName));
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '');
  }
};
