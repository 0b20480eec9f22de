import { Fault, type SessionFile } from '@fleet/contracts';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { errnoOf } from '@fleet/untrusted-files';
import { shownCount } from './bounds';
import { fileFault } from './file-source';
import type { InspectionAnswer, InspectionTask } from './inspection-messages';

/** The script that a thread runs. From TypeScript sources the caller has to name a loader in `execArgv`. */
export interface ThreadScript {
  readonly file: string;
  readonly execArgv?: readonly string[];
}

export const ownScript: ThreadScript = { file: join(__dirname, `inspection-worker${extname(__filename)}`) };

/** What one inspection may take. */
export interface ThreadLimits {
  readonly timeoutMs: number;
  readonly memoryMib: number;
}

/** Room for young objects, in MiB: the lines of a file die young. */
const youngMib = 32;

const toFile = (task: InspectionTask, answer: InspectionAnswer): SessionFile => {
  if ('file' in answer) return answer.file;
  if ('fault' in answer) {
    const { code, kind, message, problems } = answer.fault;
    throw new Fault(code, kind, message, { problems });
  }
  const reason = `its content could not be read: the reader failed (${answer.broken.slice(0, 200)})`;
  throw fileFault('inspection_failed', task.path, reason, { cause: new Error(answer.broken) });
};

/** One thread. It is used for one file at a time, and no more after it was stopped. */
export class InspectionThread {
  private readonly worker: Worker;
  private isOver = false;
  /** Resolves when the thread is gone; one that waits for a disk ends when the disk answers. */
  readonly gone: Promise<void>;

  constructor(
    script: ThreadScript,
    private readonly limits: ThreadLimits,
  ) {
    this.worker = new Worker(script.file, {
      ...(script.execArgv === undefined ? {} : { execArgv: [...script.execArgv] }),
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMib, maxYoungGenerationSizeMb: youngMib },
    });
    // A thread that has nothing to do keeps no process alive.
    this.worker.unref();
    this.worker.on('error', () => {
      this.isOver = true;
    });
    this.gone = new Promise((done) => {
      this.worker.once('exit', () => {
        this.isOver = true;
        done();
      });
    });
  }

  get over(): boolean {
    return this.isOver;
  }

  /** Ends the thread in the middle of whatever it does. */
  stop(): void {
    this.isOver = true;
    void this.worker.terminate();
  }

  /** @throws Fault of the inspection itself, `file.inspection_timeout`, `file.inspection_failed` (memory, a reader's own error) */
  inspect(task: InspectionTask): Promise<SessionFile> {
    return new Promise((resolve, reject) => {
      const seconds = shownCount(this.limits.timeoutMs / 1000);
      const timer = setTimeout(() => {
        settle();
        this.stop();
        reject(fileFault('inspection_timeout', task.path, `it could not be read within ${seconds} s`));
      }, this.limits.timeoutMs);
      const onMessage = (answer: InspectionAnswer): void => {
        settle();
        try {
          resolve(toFile(task, answer));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const onError = (error: unknown): void => {
        settle();
        this.stop();
        reject(this.endOf(task, error));
      };
      const onExit = (): void => {
        settle();
        reject(this.endOf(task, undefined));
      };
      const settle = (): void => {
        clearTimeout(timer);
        this.worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      };
      this.worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      this.worker.postMessage(task);
    });
  }

  private endOf({ path }: InspectionTask, cause: unknown): Fault {
    const reason =
      errnoOf(cause) === 'ERR_WORKER_OUT_OF_MEMORY'
        ? `reading it takes more than ${shownCount(this.limits.memoryMib)} MiB of memory`
        : 'its content could not be read: the reader ended';
    return fileFault('inspection_failed', path, reason, { cause });
  }
}
