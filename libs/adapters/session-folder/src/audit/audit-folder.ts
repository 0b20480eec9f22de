import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEntry, AuditPage } from '@fleet/contracts/audit';
import { errnoOf, failureText } from '@fleet/contracts/faults';
import type { AuditFilter, AuditLog } from '@fleet/ports';
import { readWholeUnder } from '@fleet/untrusted-files';
import { asFault } from '../folder-faults';
import { holdFolder } from '../held-folder';
import type { InstallationKey } from '../session-signature';
import { AuditFile, auditFolder, begunAt } from './audit-file';
import { cutEnd, readAuditFile, type AuditHead, type ReadAuditFile, type FileStatement } from './audit-lines';

const mebibyte = 1024 * 1024;
/** Maximum bytes read of a file: the largest configurable size, plus what was written at once after it. */
const largestRead = 128 * mebibyte;
/** Number of files whose ends a new one records. */
const witnessed = 8;
/** Milliseconds after its beginning in which a file may receive entries: a day, and the longest request. */
const coversMs = 25 * 60 * 60 * 1000;
const mostWaiting = 10_000;
const dayMs = 24 * 60 * 60 * 1000;

interface Waiting {
  readonly entry: AuditEntry;
  readonly durable: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

interface AuditFolderOptions {
  readonly keys: readonly InstallationKey[];
  /** Size limit of a file; a new one is also begun each day. */
  readonly maxMiB: number;
  /** Retention of entries in days; 0: unlimited. */
  readonly keepDays: number;
  /** Called with errors other than failed writes. */
  readonly onWarning: (message: string) => void;
}

/** The cursor of an entry: its time in milliseconds, and its id. */
const cursorOf = ({ at, id }: AuditEntry): string => `${String(Date.parse(at)).padStart(15, '0')}:${id}`;

const isThat = (given: string | undefined, value: string): boolean => given === undefined || given === value;
const isObject = (given: string | undefined, object: string): boolean =>
  isThat(given, object) ||
  object
    .split(' ')
    .at(-1)
    ?.startsWith(given ?? '') === true;

const fits = (
  entry: AuditEntry,
  { who, action, object, since = -Infinity, until = Infinity }: AuditFilter,
): boolean => {
  const at = Date.parse(entry.at);
  const isNamed = isThat(who, entry.who) && isThat(action, entry.action) && isObject(object, entry.object);
  return isNamed && at >= since && at < until;
};

/** Whether a file with this start time can contain a requested entry. */
const covers = (begun: number, { since = 0, until = Infinity }: AuditFilter): boolean =>
  begun + coversMs >= since && begun < until;

/** The entries of a page, collected from files, the newest first. */
class PageOfEntries {
  private found: ReadonlyMap<string, AuditEntry> = new Map();

  constructor(
    private readonly filter: AuditFilter,
    private readonly limit: number,
    private readonly cursor: string | undefined,
  ) {}

  /** Whether a file with this start time, and older ones, cannot add to the page. */
  isFull(begun: number): boolean {
    const beyond = [...this.found.values()][this.limit];
    return beyond !== undefined && begun + coversMs < Date.parse(beyond.at);
  }

  /** Keeps the page's entries, and one more. */
  add(entries: readonly AuditEntry[]): void {
    const isBehind = (entry: AuditEntry): boolean => this.cursor === undefined || cursorOf(entry) < this.cursor;
    const fitting = latest(entries).filter((entry) => isBehind(entry) && fits(entry, this.filter));
    const all = [...new Map([...fitting.map((entry) => [entry.id, entry] as const), ...this.found]).values()];
    const newestFirst = all.sort((one, other) => (cursorOf(one) < cursorOf(other) ? 1 : -1));
    this.found = new Map(newestFirst.slice(0, this.limit + 1).map((entry) => [entry.id, entry]));
  }

  get page(): Pick<AuditPage, 'entries' | 'nextCursor'> {
    const entries = [...this.found.values()].slice(0, this.limit);
    const last = entries.at(-1);
    return { entries, ...(this.found.size > this.limit && last !== undefined && { nextCursor: cursorOf(last) }) };
  }
}

/**
 * The audit log in the work root: one file per gateway and day, or more if one is full. Each process writes its own
 * files, so that lines never interleave. Lines are signed with the installation's key and contain the mark of the
 * previous line; the first line of a file contains the ends of the other files. A process that begins a file removes
 * expired ones.
 */
export class AuditFolder implements AuditLog {
  private file: AuditFile | undefined;
  private readonly waiting: Waiting[] = [];
  private isWriting = false;
  private missing = { count: 0, since: '' };

  /** @param workRoot absolute */
  constructor(
    private readonly workRoot: string,
    private readonly options: AuditFolderOptions,
    private readonly now: () => string = () => new Date().toISOString(),
  ) {}

  write(entry: AuditEntry, durable: boolean): Promise<void> {
    return new Promise((done, failed) => {
      if (this.waiting.length >= mostWaiting) {
        this.miss(1);
        failed(new Error(`${String(mostWaiting)} entries wait for the disk`));
        return;
      }
      this.waiting.push({ entry, durable, done, failed });
      if (!this.isWriting) void this.drain();
    });
  }

  /** One file is in memory at a time. */
  async list(filter: AuditFilter, limit: number, cursor?: string): Promise<AuditPage> {
    const names = await this.names();
    const page = new PageOfEntries(filter, limit, cursor);
    const damages: { readonly file: string; readonly reason: string }[] = [];
    const statements: FileStatement[] = [];
    for (const name of names.toReversed()) {
      const begun = begunAt(name) ?? 0;
      if (page.isFull(begun)) break;
      const one = covers(begun, filter) ? await this.read(name) : undefined;
      if (one === undefined) continue;
      page.add(one.entries);
      // A file is begun after those that it names, so all statements about this one have been read.
      const reasons = [...one.damages, cutEnd(one, statements) ?? []].flat();
      damages.push(...reasons.map((reason) => ({ file: name, reason })));
      statements.push(...one.others.map((other) => ({ ...other, witness: name })));
    }
    return { ...page.page, damages: [...damages, ...this.goneFiles(statements, names)] };
  }

  async *all(filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]> {
    for (const name of await this.names()) {
      const one = covers(begunAt(name) ?? 0, filter) ? await this.read(name) : undefined;
      if (one !== undefined) yield latest(one.entries).filter((entry) => fits(entry, filter));
    }
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = undefined;
  }

  private async drain(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, 500);
      try {
        await this.add(batch);
        for (const { done } of batch) done();
      } catch (error) {
        this.miss(batch.length);
        await this.abandon();
        for (const { failed } of batch) failed(asFault(error, join(this.workRoot, auditFolder)));
      }
    }
    this.isWriting = false;
  }

  private async add(batch: readonly Waiting[]): Promise<void> {
    const now = this.now();
    if (this.file?.isOver(now, this.options.maxMiB * mebibyte) === true) await this.close();
    const isNew = this.file === undefined;
    this.file ??= await AuditFile.begin(this.workRoot, now, this.options.keys, await this.heads());
    const removed = isNew ? await this.removeOld(now) : 0;
    const own = [
      ...(this.missing.count === 0
        ? []
        : [ownEntry(now, 'failed', { missingEntries: this.missing.count, since: this.missing.since })]),
      ...(removed === 0 ? [] : [ownEntry(now, 'done', { removedFiles: removed })]),
    ];
    await this.file.add(
      [...own, ...batch.map(({ entry }) => entry)].map((entry) => ({ entry })),
      batch.some(({ durable }) => durable),
    );
    this.missing = { count: 0, since: '' };
  }

  /** Whether all entries of a file have expired. */
  private isOld(name: string, now: string): boolean {
    const { keepDays } = this.options;
    return keepDays > 0 && (begunAt(name) ?? Infinity) + coversMs < Date.parse(now) - keepDays * dayMs;
  }

  /** Another gateway may do so at the same time. Returns the number of files. */
  private async removeOld(now: string): Promise<number> {
    try {
      const old = (await this.names()).filter((name) => this.isOld(name, now));
      if (old.length === 0) return 0;
      const { folder } = await holdFolder(this.workRoot, [auditFolder]);
      try {
        for (const name of old) await folder.remove(name);
      } finally {
        await folder.close();
      }
      return old.length;
    } catch (error) {
      this.options.onWarning(`old files of the audit log were not removed: ${failureText(error)}`);
      return 0;
    }
  }

  private goneFiles(said: readonly FileStatement[], names: readonly string[]): AuditPage['damages'] {
    const now = this.now();
    const gone = said.filter(({ file }) => !names.includes(file) && !this.isOld(file, now));
    const byFile = new Map(gone.map(({ file, witness }) => [file, `the file is gone; ${witness} names it`]));
    return [...byFile].map(([file, reason]) => ({ file, reason }));
  }

  private miss(count: number): void {
    this.missing = { count: this.missing.count + count, since: this.missing.since || this.now() };
  }

  /** The next line goes to another file, because it is unknown how much of this one is on the disk. */
  private async abandon(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    try {
      await file?.giveUp();
    } catch (error) {
      this.options.onWarning(`a file of the audit log may end within a line: ${failureText(error)}`);
    }
  }

  private async heads(): Promise<readonly AuditHead[]> {
    const heads: AuditHead[] = [];
    for (const name of (await this.names()).slice(-witnessed)) {
      const mark = (await this.read(name))?.marks.at(-1);
      if (mark !== undefined) heads.push({ file: name, mark });
    }
    return heads;
  }

  /** Oldest first. */
  private async names(): Promise<readonly string[]> {
    try {
      return (await readdir(join(this.workRoot, auditFolder))).filter((name) => begunAt(name) !== undefined).sort();
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw asFault(error, join(this.workRoot, auditFolder));
    }
  }

  /** Undefined: removed meanwhile. */
  private async read(name: string): Promise<ReadAuditFile | undefined> {
    try {
      const text = await readWholeUnder(this.workRoot, join(this.workRoot, auditFolder, name), largestRead);
      return readAuditFile(name, text, this.options.keys);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
}

/** The last entry of each id: the end of a request replaces its beginning. */
const latest = (entries: readonly AuditEntry[]): readonly AuditEntry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];

/** An entry of the log about itself: lost entries, or expired files. */
const ownEntry = (at: string, outcome: 'done' | 'failed', after: Readonly<Record<string, unknown>>): AuditEntry => ({
  id: randomBytes(8).toString('hex'),
  at,
  who: '',
  action: 'audit',
  endpoint: '',
  object: '',
  outcome,
  request: '',
  from: '',
  after,
});
