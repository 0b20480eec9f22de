import { fstatSync } from 'node:fs';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import { hasOwnFile, type AttemptFolders } from '../attempt/attempt-files-of';
import type { ForcedEnding } from '../attempt/ending-words';
import { proportionalBytes } from '../processes/process-table';
import type { ProcessTree } from '../processes/process-tree';
import { diskIsFull } from './disk';
import { signOfLife } from './sign-of-life';

/** Milliseconds between looks at the log's size and the clock. */
const tickMs = 100;
/** Milliseconds between signs of life, looks for a cancellation and looks at the disk. */
const beatMs = 1_000;
/** Milliseconds between looks at the processes; the first ones come sooner, for short programs. */
const scanMs = 1_000;
const firstScanMs = 50;
/** A look at the processes may take this part of the time: on a computer with very many it happens less often. */
const scanShare = 0.02;

interface Watched {
  readonly folders: AttemptFolders;
  readonly log: number;
  readonly tree: ProcessTree;
  readonly limits: RunSpec['limits'];
  readonly forcedEnding: () => ForcedEnding;
}

/**
 * Watches a running program and ends its whole tree at a limit.
 *
 * Memory is polled, for no limit of the kernel fits: RLIMIT_AS counts address space, which threads and mapped maps
 * exceed many times over, and a cgroup of one's own needs rights that an executor does not have everywhere. What
 * counts is the sum over the tree of resident memory; before a program is ended for it, of proportional memory, so
 * that pages which forked workers share count once.
 */
export class LimitWatch {
  /** Why the program was ended, if it was: the first reason counts. */
  forced: ForcedEnding | undefined;
  /** Another executor has closed this attempt meanwhile, so nothing of it may be written any more. */
  lost = false;
  diskWasFull = false;
  peakBytes = 0;
  /** Settles when nothing is signalled any more; absent while nothing was forced. */
  ending: Promise<void> | undefined;

  private readonly began = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private nextScan = 0;
  private scanGap = firstScanMs;
  private nextBeat = beatMs;
  private readonly reported = new Set<string>();

  constructor(private readonly watched: Watched) {}

  start(): void {
    this.timer = setInterval(() => {
      this.tryTo(() => {
        this.tick();
      });
    }, tickMs);
    setTimeout(() => {
      if (this.timer === undefined) return;
      this.tryTo(() => {
        this.scan();
      });
    }, firstScanMs / 2);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Ends the tree; what the program then exits with says nothing. */
  force(reason: ForcedEnding): void {
    if (this.forced !== undefined) return;
    this.forced = reason;
    this.ending = this.watched.tree.end().catch((error: unknown) => {
      console.error(error);
    });
  }

  /** A file server that stumbles is no reason to end a program that runs for hours: each trouble is logged once. */
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
