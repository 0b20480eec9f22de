import { fstatSync, readSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between looks at the log. */
const tickMs = 250;
const chunkBytes = 256 * 1024;
/** A reader that does not take what is there after the end of the program gets no more, in milliseconds. */
const farewellMs = 2_000;
const pollMs = 20;

/**
 * Copies a growing log to this process's standard output, where a container's log is read. The program itself writes to
 * the file alone, so that a slow or closed output never holds it up; a slow reader is served as fast as it reads.
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
    // Not process.stdout: its writes to a pipe wait for the reader, and the limits would wait with them.
    const { file, pipe } = openTarget(target);
    this.pipe = pipe;
    this.closed = !file && pipe === undefined;
    pipe?.on('error', () => {
      // Nobody reads any more; the log itself is complete.
      this.closed = true;
    });
  }

  start(): void {
    this.timer = setInterval(() => {
      this.isCopied();
    }, tickMs);
  }

  /** Copies the rest, as far as it is taken within two seconds. */
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
   * Copies what is there; true when all of it was taken. The copy is a comfort: a file server that stumbles, or a full disk at its other
   * end, costs no program and no result.
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

  /** Nothing where a program has cut its log short. */
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

/** A file is written directly: it is never slow. Anything but a file or a pipe takes no copy. */
const openTarget = (target: number): { readonly file: boolean; readonly pipe: Socket | undefined } => {
  const kind = fstatSync(target);
  if (kind.isFile()) return { file: true, pipe: undefined };
  const streams = kind.isFIFO() || kind.isSocket();
  return { file: false, pipe: streams ? new Socket({ fd: target, readable: false, writable: true }) : undefined };
};
