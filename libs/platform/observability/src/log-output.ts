import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { errnoOf } from '@fleet/contracts/faults';

/** Lines that never got written, since the last one that did. */
export interface LostLines {
  readonly count: number;
  /** When the first of them was lost. */
  readonly since: Date;
  /** The code of the last error: ENOSPC, EIO, EPIPE, or EAGAIN where the reader did not read. */
  readonly reason: string;
}

interface Options {
  /** The line that says what was lost, once the log takes lines again. */
  readonly notice: (lost: LostLines) => string;
  /** Hears of each line that is lost. */
  readonly onLost?: () => void;
  /** As writeSync of Node; for tests. */
  readonly write?: (bytes: Buffer) => number;
}

interface Waiting {
  bytes: Buffer;
  /** The reader may have half a line: of this one, or of one before it that was lost. */
  torn: boolean;
  /** What a notice tells of, which is still to be reported when the notice is lost itself. */
  readonly tells?: LostLines | undefined;
}

/** Bytes that wait for a reader who is slow; beyond them lines are lost. */
const maxWaitingBytes = 1024 * 1024;
const retryMs = 100;
/** Milliseconds that the end of a process waits for such a reader. */
const farewellMs = 500;

/**
 * Where log lines go: a file descriptor that is written to directly, so that no error of it reaches anybody else. A log that cannot be
 * written (disk full, file server gone, nobody reads any more) costs lines, which are counted and told of once it can be written again. It
 * never costs the process, and the slow reader of a pipe does not make it wait.
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

  /** Writes a line, given without its end; never throws. */
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

  /** Gives what still waits a last chance; for the end of a process. */
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

  /** False when the log cannot be written and all that waited is lost; true also when a reader is waited for. */
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

  /** A line, or a notice of some that were lost before. */
  private lose({ count, since = new Date(), reason }: Partial<LostLines> & Pick<LostLines, 'reason'>): void {
    if (count === undefined) this.options.onLost?.();
    this.lost = { count: (this.lost?.count ?? 0) + (count ?? 1), since: this.lost?.since ?? since, reason };
  }
}

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/** A pipe is opened a second time, for this writer alone and without waiting: whoever else holds it sees no change. */
const writerTo = (descriptor: number): ((bytes: Buffer) => number) => {
  const target = reopenedPipe(descriptor) ?? descriptor;
  return (bytes) => writeSync(target, bytes);
};

/** Undefined where it is not a pipe, or cannot be opened again (no /proc, another user's, nobody reads): it is written to as it is. */
const reopenedPipe = (descriptor: number): number | undefined => {
  try {
    if (!fstatSync(descriptor).isFIFO()) return undefined;
    return openSync(`/proc/self/fd/${String(descriptor)}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};
