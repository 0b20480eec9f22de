import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { errnoOf } from '@fleet/contracts/faults';

/** Lines lost since the last written one. */
export interface LostLines {
  readonly count: number;
  /** When the first of them was lost. */
  readonly since: Date;
  /** The code of the last error: ENOSPC, EIO, EPIPE, or EAGAIN for a blocked reader. */
  readonly reason: string;
}

interface Options {
  /** The line that reports the loss, once the log is writable again. */
  readonly notice: (lost: LostLines) => string;
  /** Called for each lost line. */
  readonly onLost?: () => void;
  /** Like writeSync of Node; for tests. */
  readonly write?: (bytes: Buffer) => number;
}

interface Waiting {
  bytes: Buffer;
  /** The reader may have a partial line: of this one, or of an earlier lost one. */
  torn: boolean;
  /** The loss that a report describes; it is restored if the report itself is lost. */
  readonly tells?: LostLines | undefined;
}

/** Bytes buffered for a slow reader; further lines are lost. */
const maxWaitingBytes = 1024 * 1024;
const retryMs = 100;
/** How long a stopping process waits for such a reader, in milliseconds. */
const farewellMs = 500;

/**
 * Target of log lines: a file descriptor that is written to directly, so that its errors affect nothing else. A log
 * that cannot be written (disk full, file server gone, no reader) loses lines, which are counted and reported once it
 * is writable again. It never ends the process, and a slow reader of a pipe does not block it.
 */
export class LogOutput {
  private readonly write: (bytes: Buffer) => number;
  private waiting: Waiting[] = [];
  private waitingBytes = 0;
  private torn = false;
  private lost: LostLines | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    descriptor: number,
    private readonly options: Options,
  ) {
    this.write = options.write ?? writerTo(descriptor);
  }

  /** Writes a line, passed without line break; never throws. */
  line(text: string): void {
    this.flush();
    if (this.waitingBytes > maxWaitingBytes) {
      this.lose({ reason: 'EAGAIN' });
      return;
    }
    const tells = this.lost;
    this.lost = undefined;
    if (tells !== undefined) this.queue(this.options.notice(tells), tells);
    this.queue(text);
    this.flush();
  }

  /** Tries to write what is buffered; for the end of a process. */
  finish(): void {
    const until = performance.now() + farewellMs;
    while (this.flush() && this.waiting.length > 0 && performance.now() < until) pause(10);
  }

  private queue(text: string, tells?: LostLines): void {
    const bytes = Buffer.from(`${this.torn ? '\n' : ''}${text}\n`);
    this.waiting.push({ bytes, torn: this.torn, tells });
    this.waitingBytes += bytes.length;
    this.torn = false;
  }

  /** False if the log cannot be written and the buffer is lost; true also while it waits for a reader. */
  private flush(): boolean {
    try {
      for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
        const written = this.write(next.bytes);
        this.waitingBytes -= written;
        next.bytes = next.bytes.subarray(written);
        next.torn = true;
        if (next.bytes.length === 0) this.waiting.shift();
      }
      return true;
    } catch (error) {
      const reason = errnoOf(error) ?? String(error);
      if (reason !== 'EAGAIN') this.giveUp(reason);
      else this.tryLater();
      return reason === 'EAGAIN';
    }
  }

  private tryLater(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.flush();
    }, retryMs).unref();
  }

  private giveUp(reason: string): void {
    this.torn = this.waiting[0]?.torn ?? false;
    for (const { tells } of this.waiting) this.lose({ ...tells, reason });
    this.waiting = [];
    this.waitingBytes = 0;
  }

  /** Loses a line, or the report of earlier lost ones. */
  private lose({ count, since = new Date(), reason }: Partial<LostLines> & Pick<LostLines, 'reason'>): void {
    if (count === undefined) this.options.onLost?.();
    this.lost = { count: (this.lost?.count ?? 0) + (count ?? 1), since: this.lost?.since ?? since, reason };
  }
}

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/**
 * A pipe is opened a second time, non-blocking for this writer only: other processes with the same pipe are not
 * affected.
 */
const writerTo = (descriptor: number): ((bytes: Buffer) => number) => {
  const target = reopenedPipe(descriptor) ?? descriptor;
  return (bytes) => writeSync(target, bytes);
};

/**
 * Undefined if it is not a pipe, or cannot be opened again (no /proc, another user's, no reader): then it is written to
 * directly.
 */
const reopenedPipe = (descriptor: number): number | undefined => {
  try {
    if (!fstatSync(descriptor).isFIFO()) return undefined;
    return openSync(`/proc/self/fd/${String(descriptor)}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};
