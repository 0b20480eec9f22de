import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { errnoOf, isFault } from '@fleet/contracts/faults';
import type { FolderPattern } from '@fleet/manifest';
import { filesThatFit } from '@fleet/untrusted-files';
import type { ChecksumRule } from './checksum-rules';
import { datasetOf, signOf, type Dataset, type DatasetSign, type DatasetTemplate } from './dataset';
import { Deliveries, type DeliveryTools } from './deliveries';
import { checksumBeside, contentOf } from './file-content';
import { Settling } from './settling';
import type { DatasetNote } from './watch-notes';

/** Settings of a watch. */
export interface FolderWatchRules {
  /** Absolute, without links. */
  readonly folder: string;
  readonly pattern: FolderPattern;
  readonly template: DatasetTemplate;
  readonly settleMs: number;
  readonly checksums: ChecksumRule;
  /** A file that changed after its submission is submitted again. */
  readonly again: boolean;
}

const digestOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 40);

/** A folder in which datasets appear. Each is submitted once, when its files no longer change. */
export class FolderWatch {
  private readonly deliveries: Deliveries;

  private constructor(
    private readonly rules: FolderWatchRules,
    private readonly tools: DeliveryTools,
    private readonly settling: Settling,
    private readonly now: () => Date,
  ) {
    this.deliveries = new Deliveries(tools);
  }

  /** Continues where an earlier watcher ended. */
  static async open(rules: FolderWatchRules, tools: DeliveryTools, now: () => Date): Promise<FolderWatch> {
    return new FolderWatch(rules, tools, new Settling(rules.settleMs, await tools.notes.sightings()), now);
  }

  /**
   * Scans the folder once and submits settled datasets.
   * @throws CliError if the template does not match, the system's own error if the folder is unavailable
   */
  async round(): Promise<void> {
    const { folder, pattern, template } = this.rules;
    this.deliveries.begin();
    await stat(folder);
    const seen = new Set<string>();
    for await (const entry of filesThatFit(pattern, [folder])) {
      if (this.tools.ended.aborted) break;
      if (!('row' in entry)) continue;
      const dataset = datasetOf(entry.row, template);
      seen.add(dataset.path);
      await this.guarded(dataset);
    }
    if (!this.tools.ended.aborted) this.settling.keepOnly(seen);
    await this.tools.notes.keepSightings(this.settling.sightings);
  }

  /** An unreadable dataset does not prevent others from being submitted. */
  private async guarded(dataset: Dataset): Promise<void> {
    try {
      await this.look(dataset);
    } catch (error) {
      if (this.tools.ended.aborted || (!isFault(error) && errnoOf(error) === undefined)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      this.tools.log.reportOnce({ event: 'trouble', path: dataset.path, reason });
    }
  }

  private async look(dataset: Dataset): Promise<void> {
    const { path } = dataset;
    const sign = await signOf(dataset);
    if ('waitsFor' in sign) {
      this.settling.forget(path);
      this.tools.log.reportOnce({ event: 'waits', path, reason: `for ${sign.waitsFor}` });
      return;
    }
    const note = await this.tools.notes.of(path);
    if (note !== undefined && note.state !== 'pending' && note.sign === sign.own) {
      this.settling.forget(path);
      return;
    }
    if (!this.settling.hasSettled(path, sign.all, this.now().getTime())) return;
    await this.settled(dataset, sign);
  }

  private async settled(dataset: Dataset, sign: DatasetSign): Promise<void> {
    const { path } = dataset;
    const earlier = await this.tools.notes.fresh(path);
    if (earlier?.state === 'pending' && earlier.sign === sign.own) {
      // Its hash is known: an unreachable gateway does not cause another read.
      await this.deliveries.send(dataset, earlier);
      return;
    }
    const content = await this.checkedContent(dataset);
    const after = await signOf(dataset);
    if (content === undefined || 'waitsFor' in after || after.all !== sign.all) return;
    this.tools.log.over(path);
    const note = await this.tools.notes.fresh(path);
    const now: Pick<DatasetNote, 'sign' | 'content' | 'at'> = { sign: sign.own, content, at: this.now().toISOString() };
    if (note === undefined) await this.submit(dataset, now, []);
    else if (note.state === 'pending')
      // The gateway may have it already: with the same key it is the same submission.
      await this.deliveries.add(dataset, { ...note, ...now });
    else if (note.content === content) await this.tools.notes.put({ ...note, sign: sign.own });
    else await this.another(dataset, note, now);
  }

  /** SHA-256 of its file; undefined if its checksum differs, so that it is incomplete, or is still missing. */
  private async checkedContent({ path }: Dataset): Promise<string | undefined> {
    const { checksums } = this.rules;
    const stated = checksums === 'ignored' ? undefined : await checksumBeside(path);
    const { log } = this.tools;
    if (stated === undefined && checksums === 'required') {
      log.reportOnce({ event: 'waits', path, reason: 'for its checksum' });
      return undefined;
    }
    const content = await contentOf(path);
    if (stated === undefined || stated === content) return content;
    log.reportOnce({
      event: 'waits',
      path,
      reason: `its checksum is ${content}, but the checksum file states ${stated}`,
    });
    return undefined;
  }

  /** A file that changed after it was submitted or rejected. */
  private async another(
    dataset: Dataset,
    note: DatasetNote,
    now: Pick<DatasetNote, 'sign' | 'content' | 'at'>,
  ): Promise<void> {
    const { notes, log } = this.tools;
    const { session, earlier = [] } = note;
    if (note.state === 'refused' || this.rules.again) {
      await this.submit(dataset, now, session === undefined ? earlier : [...earlier, session]);
      return;
    }
    if (note.changed !== now.content)
      log.report({
        event: 'changed',
        path: dataset.path,
        ...(session !== undefined && { session }),
        reason: 'the file changed after its submission and is not submitted again (use --again)',
      });
    await notes.put({ ...note, sign: now.sign, changed: now.content });
  }

  private async submit(
    dataset: Dataset,
    now: Pick<DatasetNote, 'sign' | 'content' | 'at'>,
    earlier: readonly string[],
  ): Promise<void> {
    const { path } = dataset;
    const key = `watch-${digestOf(this.tools.watch, path, now.content)}`;
    const history = earlier.length > 0 ? { earlier } : {};
    await this.deliveries.add(dataset, { layout: 1, path, ...now, key, state: 'pending', ...history });
  }
}
