import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, failureText, type AuditEntry, type AuditPage } from '@fleet/contracts';
import type { AuditFilter, AuditLog } from '@fleet/ports';
import { readWholeUnder } from '@fleet/untrusted-files';
import { asFault } from '../folder-faults';
import type { InstallationKey } from '../session-signature';
import { AuditFile, auditFolder, begunAt } from './audit-file';
import { cutFiles, readAuditFile, type AuditHead, type ReadAuditFile } from './audit-lines';

/** Bytes of a file that are read: one that is full, and what was written at once behind it. */
const largestRead = 64 * 1024 * 1024;
/** Files whose ends a new one writes down. */
const witnessed = 8;
/** Milliseconds after its begin in which a file may have entries: a day, and the longest request. */
const coversMs = 25 * 60 * 60 * 1000;
const mostWaiting = 10_000;

interface Waiting {
  readonly entry: AuditEntry;
  readonly durable: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

interface AuditFolderOptions {
  readonly keys: readonly InstallationKey[];
  /** Hears of what goes wrong beside a write that fails. */
  readonly onWarning: (message: string) => void;
}

/** As cursors are: when, in milliseconds, and which. */
const placeOf = ({ at, id }: AuditEntry): string => `${String(Date.parse(at)).padStart(15, '0')}:${id}`;

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

/** Whether a file that was begun then can have an entry that is wanted. */
const covers = (begun: number, { since = 0, until = Infinity }: AuditFilter): boolean =>
  begun + coversMs >= since && begun < until;

/** Entries of a page, out of one file after the other, the newest first. */
class PageOfEntries {
  private readonly found = new Map<string, AuditEntry>();

  constructor(
    private readonly filter: AuditFilter,
    private readonly limit: number,
    private readonly cursor: string | undefined,
  ) {}

  /** Whether a file that was begun then, and older ones, have nothing more for it. */
  isFull(begun: number): boolean {
    const newestFirst = [...this.found.values()].map(({ at }) => Date.parse(at)).sort((one, other) => other - one);
    return begun + coversMs < (newestFirst[this.limit] ?? 0);
  }

  add(entries: readonly AuditEntry[]): void {
    for (const entry of latest(entries)) {
      const isBehind = this.cursor === undefined || placeOf(entry) < this.cursor;
      if (isBehind && fits(entry, this.filter) && !this.found.has(entry.id)) this.found.set(entry.id, entry);
    }
  }

  get page(): Pick<AuditPage, 'entries' | 'nextCursor'> {
    const sorted = [...this.found.values()].sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
    const entries = sorted.slice(0, this.limit);
    const last = entries.at(-1);
    return { entries, ...(sorted.length > this.limit && last !== undefined && { nextCursor: placeOf(last) }) };
  }
}

/**
 * The audit log in the work root: one file for each gateway and day, whose lines are signed with the installation's key and name the line
 * before, and whose first line names the ends of the files beside it.
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

  async list(filter: AuditFilter, limit: number, cursor?: string): Promise<AuditPage> {
    const names = await this.names();
    const page = new PageOfEntries(filter, limit, cursor);
    const read: ReadAuditFile[] = [];
    for (const name of names.toReversed()) {
      const begun = begunAt(name) ?? 0;
      if (page.isFull(begun)) break;
      if (!covers(begun, filter)) continue;
      const one = await this.read(name);
      read.push(one);
      page.add(one.entries);
    }
    const damages = read.flatMap(({ file, damages: all }) => all.map((reason) => ({ file, reason })));
    return { ...page.page, damages: [...damages, ...cutFiles(read, names)] };
  }

  async *all(filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]> {
    for (const name of await this.names()) {
      if (!covers(begunAt(name) ?? 0, filter)) continue;
      yield latest((await this.read(name)).entries).filter((entry) => fits(entry, filter));
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
    if (this.file?.isOver(now) === true) await this.close();
    this.file ??= await AuditFile.begin(this.workRoot, now, this.options.keys, await this.heads());
    const gap = this.missing.count === 0 ? [] : [gapEntry(now, this.missing)];
    const entries = [...gap, ...batch.map(({ entry }) => entry)];
    await this.file.add(
      entries.map((entry) => ({ entry })),
      batch.some(({ durable }) => durable),
    );
    this.missing = { count: 0, since: '' };
  }

  private miss(count: number): void {
    this.missing = { count: this.missing.count + count, since: this.missing.since || this.now() };
  }

  /** The next line goes to another file: nobody knows how much of this one the disk has. */
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
    const newest = (await this.names()).slice(-witnessed);
    const read = await Promise.all(newest.map((name) => this.read(name)));
    return read.flatMap(({ file, marks }) => marks.slice(-1).map((mark) => ({ file, mark })));
  }

  /** The oldest first. */
  private async names(): Promise<readonly string[]> {
    try {
      return (await readdir(join(this.workRoot, auditFolder))).filter((name) => begunAt(name) !== undefined).sort();
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw asFault(error, join(this.workRoot, auditFolder));
    }
  }

  private async read(name: string): Promise<ReadAuditFile> {
    const text = await readWholeUnder(this.workRoot, join(this.workRoot, auditFolder, name), largestRead);
    return readAuditFile(name, text, this.options.keys);
  }
}

/** Of each id what was written last: its begin says less than its end. */
const latest = (entries: readonly AuditEntry[]): readonly AuditEntry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];

/** Stands for entries that could not be written. */
const gapEntry = (at: string, { count, since }: { readonly count: number; readonly since: string }): AuditEntry => ({
  id: randomBytes(8).toString('hex'),
  at,
  who: '',
  action: 'audit',
  address: '',
  object: '',
  outcome: 'failed',
  request: '',
  from: '',
  after: { missingEntries: count, since },
});
