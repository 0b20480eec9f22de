import { existsSync } from 'node:fs';
import { cp, readdir, readFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  attemptFiles,
  attemptFolder,
  cycleFolder,
  Fault,
  type CycleRecord,
  type Session,
  type SessionHead,
} from '@fleet/contracts';
import type { CarriedFiles, PreparedSession, ReadSession, SessionFolderPort } from '@fleet/ports';

/** Folders of sessions as plainly as the port allows; the real ones have their own tests. */
export class PlainSessionFolders implements SessionFolderPort {
  constructor(private readonly workRoot: string) {}

  async writeSession(session: Session): Promise<void> {
    await mkdir(session.folder, { recursive: true });
    await writeFile(join(session.folder, 'session.json'), JSON.stringify(session));
  }

  async writeNewSession(session: Session): Promise<void> {
    if (!existsSync(join(session.folder, 'session.json'))) await this.writeSession(session);
  }

  async prepareSession(session: Session): Promise<PreparedSession> {
    await mkdir(session.folder, { recursive: true });
    return { publish: () => this.writeNewSession(session), drop: () => Promise.resolve() };
  }

  async carryFiles(session: Session, _: number, fork: Pick<Session, 'id' | 'folder'>): Promise<CarriedFiles> {
    if (existsSync(session.folder))
      await cp(session.folder, fork.folder, { recursive: true, filter: (path) => !path.endsWith('session.json') });
    return { pins: new Map(), drop: () => Promise.resolve() };
  }

  async readSession(folder: string): Promise<ReadSession> {
    try {
      const session = JSON.parse(await readFile(join(folder, 'session.json'), 'utf8')) as Session;
      return { session, authenticity: 'authentic', digest: '', missingFiles: [] };
    } catch (cause) {
      throw new Fault('session_file.damaged', 'caller', `${folder} holds no usable session.json`, { cause });
    }
  }

  async listSessionFolders(): Promise<readonly string[]> {
    const entries = await readdir(this.workRoot, { recursive: true, withFileTypes: true });
    return entries.filter(({ name }) => name === 'session.json').map(({ parentPath }) => parentPath);
  }

  async writeSummary(session: Session, markdown: string): Promise<string> {
    const path = join(session.folder, 'summary.md');
    await writeFile(path, markdown);
    return path;
  }

  async bytesOf({ folder }: Pick<Session, 'folder'>): Promise<number> {
    if (!existsSync(folder)) return 0;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => stat(join(parentPath, name)));
    return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0);
  }

  async remove(session: Pick<Session, 'folder'>): Promise<number> {
    const bytes = await this.bytesOf(session);
    await rm(session.folder, { recursive: true, force: true });
    return bytes;
  }

  logPath(
    session: Pick<SessionHead, 'folder'>,
    record: Pick<CycleRecord, 'cycle' | 'decision'>,
    attempt: number,
  ): string {
    const folder = attemptFolder(cycleFolder(record.cycle, record.decision.program), attempt);
    return join(session.folder, folder, attemptFiles.log);
  }
}
