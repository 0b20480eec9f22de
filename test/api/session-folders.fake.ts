import { existsSync } from 'node:fs';
import { cp, readdir, readFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@fleet/contracts/faults';
import { attemptFiles, attemptFolder, cycleFolder } from '@fleet/contracts/runs';
import type { CycleRecord, FilePin, Session, SessionHead } from '@fleet/contracts/sessions';
import type { ReadSession, SessionFolderPort } from '@fleet/ports';

/** Folders of sessions as plainly as the port allows; the real ones have their own tests. */
export class PlainSessionFolders implements SessionFolderPort {
  constructor(private readonly workRoot: string) {}

  async writeSession(session: Session): Promise<void> {
    await mkdir(session.folder, { recursive: true });
    await writeFile(join(session.folder, 'session.json'), JSON.stringify(session));
  }

  async tryFolder({ folder }: Session): Promise<void> {
    await mkdir(folder, { recursive: true });
  }

  async carryFiles(
    session: Session,
    _: number,
    fork: Pick<Session, 'id' | 'folder'>,
  ): Promise<ReadonlyMap<string, FilePin>> {
    if (existsSync(session.folder))
      await cp(session.folder, fork.folder, { recursive: true, filter: (path) => !path.endsWith('session.json') });
    return new Map();
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
    await mkdir(session.folder, { recursive: true });
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
