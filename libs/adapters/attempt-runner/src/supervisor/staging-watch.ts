import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import { hasOwnFile, type AttemptFolders } from '../attempt/attempt-files-of';
import { describeEnding, type ForcedEnding, type Outcome } from '../attempt/ending-words';
import { signOfLife } from './sign-of-life';

/** Milliseconds between heartbeats and between checks for a cancellation. */
const beatMs = 1_000;

interface Watched {
  readonly folders: AttemptFolders;
  readonly spec: Pick<RunSpec, 'program' | 'limits'>;
  /** Why the supervisor received a stop request; undefined if it received none. */
  readonly forcedEnding: () => ForcedEnding | undefined;
}

/**
 * Watches the attempt while its input files are copied, before the program exists. A copy may take as long as a
 * program.
 */
export class StagingWatch {
  /** Another executor has closed this attempt. */
  lost = false;
  private forced: ForcedEnding | undefined;
  private readonly began = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private readonly reported = new Set<string>();

  constructor(private readonly watched: Watched) {}

  start(): void {
    this.timer = setInterval(() => this.beat(), beatMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Seconds since the start. */
  get elapsed(): number {
    return (performance.now() - this.began) / 1_000;
  }

  isStopped(): boolean {
    if (this.elapsed > this.watched.spec.limits.wallClock) this.forced ??= 'wall_clock_limit';
    this.forced ??= this.watched.forcedEnding();
    return this.lost || this.forced !== undefined;
  }

  /** How the attempt ended, if a request or a limit ended it. */
  ending(): Outcome | undefined {
    const { program, limits } = this.watched.spec;
    if (this.forced === undefined) return undefined;
    if (this.forced !== 'wall_clock_limit') {
      return describeEnding({ program, limits, exitCode: null, signal: null, endedBecause: this.forced });
    }
    return {
      kind: 'wall_clock_limit',
      infrastructure: false,
      message: `${program} was not started: its files could not be copied within its time limit of ${String(limits.wallClock)} s.`,
      nextAction: 'Ask for a longer limit, or let the administrator check the speed of the disks.',
    };
  }

  /** A file server failure is logged once, and the check is repeated. */
  private beat(): void {
    const { folders } = this.watched;
    try {
      if (!signOfLife(folders)) this.lost = true;
      else if (hasOwnFile(folders.running, attemptFiles.cancel)) this.forced ??= 'cancelled';
    } catch (error) {
      if (!this.reported.has(String(error))) console.error(error);
      this.reported.add(String(error));
    }
  }
}
