import { fstatSync } from 'node:fs';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import { hasOwnFile, type AttemptFolders } from '../attempt/attempt-files-of';
import type { ForcedEnding } from '../attempt/ending-words';
import { proportionalBytes } from '../processes/process-table';
import type { ProcessTree } from '../processes/process-tree';
import { diskIsFull } from './disk';
import { signOfLife } from './sign-of-life';

/** Milliseconds between checks of the log's size and the clock. */
const tickMs = 100;
/** Milliseconds between heartbeats, and between checks for a cancellation and of the disk. */
const beatMs = 1_000;
/** Milliseconds between process scans; the first ones come sooner, for short programs. */
const scanMs = 1_000;
const firstScanMs = 50;
/** Largest share of the time for process scans: on a computer with very many processes they become rarer. */
const scanShare = 0.02;

interface Watched {
  readonly folders: AttemptFolders;
  readonly log: number;
  readonly tree: ProcessTree;
  readonly limits: RunSpec['limits'];
  readonly forcedEnding: () => ForcedEnding;
}

/**
 * Watches a running program and ends its whole process tree at a limit.
 *
 * Memory is polled, because no kernel limit fits: RLIMIT_AS counts address space, which threads and mapped maps exceed
 * many times over, and a cgroup needs rights that an executor does not always have. The sum of resident memory over the
 * tree is checked first. Before a program is ended, proportional memory decides, so that pages shared by forked workers
 * count once.
 */
export class LimitWatch {
  /** Why the program was ended, if it was: the first reason counts. */
  forced: ForcedEnding | undefined;
  /** Another executor has closed this attempt, so nothing of it may be written. */
  lost = false;
  diskWasFull = false;
  peakBytes = 0;
  /** Settles after the last signal; undefined unless a limit forced an ending. */
  ending: Promise<void> | undefined;

  private readonly began = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private nextScan = 0;
  private scanGap = firstScanMs;
  private nextBeat = beatMs;
  private readonly reported = new Set<string>();

  constructor(private readonly watched: Watched) {}

  start(): void {
    this.timer = setInterval(() => this.tryTo(() => this.tick()), tickMs);
    setTimeout(() => {
      if (this.timer === undefined) return;
      this.tryTo(() => this.scan());
    }, firstScanMs / 2);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Ends the tree; the program's exit code is meaningless afterwards. */
  force(reason: ForcedEnding): void {
    if (this.forced !== undefined) return;
    this.forced = reason;
    this.ending = this.watched.tree.end().catch((error: unknown) => console.error(error));
  }

  /** A file server failure must not end a program that runs for hours: each error is logged once. */
  private tryTo(look: () => void): void {
    try {
      look();
    } catch (error) {
      const trouble = String(error);
      if (!this.reported.has(trouble)) console.error(error);
      this.reported.add(trouble);
    }
  }

  private tick(): void {
    const { log, limits } = this.watched;
    const elapsed = performance.now() - this.began;
    if (elapsed > limits.wallClock * 1_000) this.force('wall_clock_limit');
    if (elapsed >= this.nextScan) this.scan();
    if (elapsed >= this.nextBeat) this.beat(elapsed);
    if (fstatSync(log).size > limits.outputBytes) this.force('output_limit');
  }

  private scan(): void {
    const before = performance.now();
    const members = this.watched.tree.observe();
    const resident = members.reduce((sum, entry) => sum + entry.residentBytes, 0);
    this.peakBytes = Math.max(this.peakBytes, resident);
    const limit = this.watched.limits.memoryMiB * 1024 * 1024;
    if (resident > limit && members.reduce((sum, entry) => sum + proportionalBytes(entry), 0) > limit) {
      this.force('memory_limit');
    }
    const now = performance.now();
    this.scanGap = Math.min(scanMs, this.scanGap * 2);
    this.nextScan = now - this.began + Math.max(this.scanGap, (now - before) / scanShare);
  }

  private beat(elapsed: number): void {
    this.nextBeat = elapsed + beatMs;
    const { folders, forcedEnding } = this.watched;
    if (!signOfLife(folders)) {
      this.lost = true;
      this.force('stop_requested');
      return;
    }
    if (hasOwnFile(folders.running, attemptFiles.cancel)) this.force(forcedEnding());
    this.diskWasFull ||= diskIsFull(folders.running);
  }
}
