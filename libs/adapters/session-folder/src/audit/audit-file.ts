import { randomBytes } from 'node:crypto';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { holdFolder } from '../held-folder';
import type { InstallationKey } from '../session-signature';
import { auditLine, type AuditContent, type AuditHead } from './audit-lines';

/** Below the work root; not a valid proposal name. Only the gateway has access. */
export const auditFolder = '.phenix-fleet-audit';
/** The start time of a file in its name, by which files sort. */
const nameForm = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-[0-9a-f]{8}\.jsonl$/;

/** When a file of the log was begun, in milliseconds since the epoch; undefined if it is not one. */
export const begunAt = (name: string): number | undefined => {
  const parts = nameForm.exec(name);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, ms] = parts;
  const at = Date.parse(
    `${year ?? ''}-${month ?? ''}-${day ?? ''}T${hour ?? ''}:${minute ?? ''}:${second ?? ''}.${ms ?? ''}Z`,
  );
  return Number.isNaN(at) ? undefined : at;
};

/** A file that only this process writes, for at most a day. */
export class AuditFile {
  private mark = '';
  private bytes = 0;

  private constructor(
    private readonly name: string,
    private readonly handle: FileHandle,
    private readonly keys: readonly InstallationKey[],
    /** ISO 8601. */
    private readonly opened: string,
  ) {}

  /** @param others existing files of the log */
  static async begin(
    workRoot: string,
    opened: string,
    keys: readonly InstallationKey[],
    others: readonly AuditHead[],
  ): Promise<AuditFile> {
    // Created separately, because it must be private.
    await mkdir(join(workRoot, auditFolder), { mode: 0o700 }).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error;
    });
    const { folder } = await holdFolder(workRoot, [auditFolder]);
    try {
      const name = `${opened.replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}.jsonl`;
      const file = new AuditFile(name, await open(folder.at(name), 'ax', 0o600), keys, opened);
      await file.add([{ opening: { opened, others } }], true);
      await folder.sync();
      return file;
    } finally {
      await folder.close();
    }
  }

  /** Whether a new file is due. */
  isOver(now: string, maxBytes: number): boolean {
    return this.opened.slice(0, 10) !== now.slice(0, 10) || this.bytes >= maxBytes;
  }

  async add(contents: readonly AuditContent[], durable: boolean): Promise<void> {
    let mark = this.mark;
    const text = contents
      .map((content) => {
        const line = auditLine(this.name, mark, content, this.keys);
        ({ mark } = line);
        return line.text;
      })
      .join('');
    await this.handle.appendFile(text);
    if (durable) await this.handle.datasync();
    this.mark = mark;
    this.bytes += Buffer.byteLength(text);
  }

  /** After a failure: removes a partly written line, as far as the disk allows. */
  async giveUp(): Promise<void> {
    try {
      await this.handle.truncate(this.bytes);
    } finally {
      await this.handle.close();
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}
