import { fstatSync, readSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between reads of the log. */
const tickMs = 250;
const chunkBytes = 256 * 1024;
/** Time limit for a reader to take the rest after the program has ended, in milliseconds. */
const farewellMs = 2_000;
const pollMs = 20;

/**
 * Copies a growing log to standard output, where a container's log is read. The program itself writes to the file only,
 * so a slow or closed output never blocks it. A slow reader is served at its own speed.
 */
export class OutputCopy {
  private offset = 0;
  private closed = false;
  private troubled = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly pipe: Socket | undefined;

  /** `log`: an open, readable file descriptor. */
  constructor(
    private readonly log: number,
    private readonly target = 1,
  ) {
    // Not process.stdout: its writes to a pipe block until the reader takes them, and the limit checks would block too.
    const { file, pipe } = openTarget(target);
    this.pipe = pipe;
    this.closed = !file && pipe === undefined;
    pipe?.on('error', () => {
      // The reader has closed the pipe; the log itself is complete.
      this.closed = true;
    });
  }

  start(): void {
    this.timer = setInterval(() => {
      this.isCopied();
    }, tickMs);
  }

  /** Copies the rest, as far as the reader takes it within two seconds. */
  async finish(): Promise<void> {
    clearInterval(this.timer);
    const until = performance.now() + farewellMs;
    while (!this.closed && performance.now() < until) {
      if (this.isCopied()) break;
      await sleep(pollMs);
    }
    this.pipe?.destroy();
  }

  /**
   * Copies the available bytes; true if all of them were taken. The copy is optional: a file server failure or a full
   * disk behind it must not cost a program or a result.
   */
  private isCopied(): boolean {
    try {
      this.copy();
      return this.left() === 0 && this.waiting() === 0;
    } catch (error) {
      if (!this.troubled) console.error(error);
      this.troubled = true;
      return false;
    }
  }

  /** 0 if a program has truncated its log. */
  private left(): number {
    return Math.max(0, fstatSync(this.log).size - this.offset);
  }

  private waiting(): number {
    return this.pipe?.writableLength ?? 0;
  }

  private copy(): void {
    while (!this.closed && this.waiting() < chunkBytes) {
      const chunk = Buffer.alloc(Math.min(this.left(), chunkBytes));
      const length = chunk.length === 0 ? 0 : readSync(this.log, chunk, 0, chunk.length, this.offset);
      if (length === 0) return;
      this.offset += length;
      if (this.pipe === undefined) writeSync(this.target, chunk, 0, length);
      else this.pipe.write(chunk.subarray(0, length));
    }
  }
}

/** A file is written directly, because it never blocks. Targets other than a file or a pipe get no copy. */
const openTarget = (target: number): { readonly file: boolean; readonly pipe: Socket | undefined } => {
  const kind = fstatSync(target);
  if (kind.isFile()) return { file: true, pipe: undefined };
  const streams = kind.isFIFO() || kind.isSocket();
  return { file: false, pipe: streams ? new Socket({ fd: target, readable: false, writable: true }) : undefined };
};
