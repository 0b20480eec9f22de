import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, readdir, realpath } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import {
  attemptFiles,
  attemptFolder,
  cycleFolder,
  Fault,
  isFault,
  runningSuffix,
  type CycleRecord,
  type Session,
  type SessionHead,
} from '@fleet/contracts';
import type { SessionFolderPort } from '@fleet/ports';
import { isInside, isProposalName, sessionFolderPath } from './folder-names';
import { parseSessionFile, sessionFileText } from './session-file';
import { writeIfAbsent, writeWhole } from './write-whole';

const sessionFileName = 'session.json';
const summaryFileName = 'summary.md';

/** Sessions as folders `<work root>/<proposal>/<session id>`. */
export class SessionFolder implements SessionFolderPort {
  /** @param workRoot absolute */
  constructor(private readonly workRoot: string) {}

  /** Where a new session's files belong. */
  pathOf(proposal: string, id: string): string {
    return sessionFolderPath(this.workRoot, proposal, id);
  }

  async writeSession(session: Session): Promise<void> {
    const folder = await this.made(session);
    await this.write(join(folder, sessionFileName), sessionFileText(session));
  }

  async writeNewSession(session: Session): Promise<void> {
    const folder = await this.made(session);
    await this.write(join(folder, sessionFileName), sessionFileText(session), writeIfAbsent);
  }

  async readSession(folder: string): Promise<Session> {
    const path = join(await this.inside(folder), sessionFileName);
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (cause) {
      throw new Fault('session_file.missing', 'not_found', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
    }
    const session = parseSessionFile(text, path);
    // The work root may be mounted elsewhere than when the file was written, but below it a session has one place.
    const home = this.pathOf(session.request.proposal, session.id);
    if (relative(home, folder) === '') return { ...session, folder: resolve(folder) };
    throw new Fault(
      'session_file.misplaced',
      'conflict',
      `${path} is of the session ${relative(this.workRoot, home)}, whose folder this is not: a copy?`,
    );
  }

  async listSessionFolders(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const proposal of (await this.namesIn(this.workRoot)).filter(isProposalName)) {
      found.push(...(await this.sessionsOf(join(this.workRoot, proposal))));
    }
    return found.sort();
  }

  /** Folders with a session; with those that cannot be looked into, for their reading will say why. */
  private async sessionsOf(proposal: string): Promise<readonly string[]> {
    const names = await this.namesIn(proposal).catch((error: unknown) => {
      if (isFault(error) && closed.includes(codeOf(error.cause))) return undefined;
      throw error;
    });
    if (names === undefined) return [proposal];
    const found: string[] = [];
    for (const folder of names.map((name) => join(proposal, name)))
      if (await mayHoldSession(folder)) found.push(folder);
    return found;
  }

  async writeSummary(session: Session, markdown: string): Promise<string> {
    const path = join(await this.made(session), summaryFileName);
    await this.write(path, markdown);
    return path;
  }

  logPath(
    session: Pick<SessionHead, 'folder'>,
    cycle: Pick<CycleRecord, 'cycle' | 'decision'>,
    attempt: number,
  ): string {
    const name = attemptFolder(cycleFolder(cycle.cycle, cycle.decision.program), attempt);
    const published = join(session.folder, name);
    const folder = existsSync(published) ? published : `${published}${runningSuffix}`;
    return join(folder, attemptFiles.log);
  }

  /** The session's folder, made where it is missing, resolved, and under the work root. */
  private async made(session: Session): Promise<string> {
    const expected = sessionFolderPath(this.workRoot, session.request.proposal, session.id);
    if (relative(expected, session.folder) !== '') throw outside(session.folder);
    const root = await realpath(this.workRoot);
    const proposal = join(this.workRoot, session.request.proposal);
    try {
      // One level at a time: a proposal that leads out of the root must not get a folder made in its target.
      await mkdir(proposal, { recursive: true });
      if (!isInside(root, await realpath(proposal))) throw outside(proposal);
      await mkdir(expected, { recursive: true });
    } catch (error) {
      throw asFault(error, expected);
    }
    return this.inside(expected);
  }

  /** @throws Fault `file.outside_root` */
  private async inside(folder: string): Promise<string> {
    try {
      const [root, path] = [await realpath(this.workRoot), await realpath(folder)];
      if (isInside(root, path)) return path;
    } catch (cause) {
      throw new Fault('session_file.missing', 'not_found', `${folder} cannot be read: ${reasonOf(cause)}`, { cause });
    }
    throw outside(folder);
  }

  private async write(path: string, text: string, how = writeWhole): Promise<void> {
    try {
      await how(path, text);
    } catch (error) {
      throw asFault(error, path);
    }
  }

  private async namesIn(folder: string): Promise<readonly string[]> {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map((entry) => entry.name);
    } catch (cause) {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(cause))) return [];
      throw new Fault('storage.unreadable', 'transient', `${folder} cannot be listed: ${reasonOf(cause)}`, { cause });
    }
  }
}

/** Errors that trying again does not mend: no permission, a link in a circle. */
const closed: readonly string[] = ['EACCES', 'EPERM', 'ELOOP'];

/** False only where it is sure that there is none. */
const mayHoldSession = async (folder: string): Promise<boolean> => {
  try {
    await lstat(join(folder, sessionFileName));
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(codeOf(error));
  }
};

const outside = (path: string): Fault =>
  new Fault('file.outside_root', 'caller', `${path} does not lie under the work root as a session's folder does`);

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A disk that is full or away is a passing trouble: the step is tried again, and nothing is lost meanwhile. */
const asFault = (error: unknown, path: string): unknown =>
  isFault(error) || codeOf(error) === ''
    ? error
    : new Fault('storage.unwritable', 'transient', `${path} cannot be written: ${reasonOf(error)}`, { cause: error });
