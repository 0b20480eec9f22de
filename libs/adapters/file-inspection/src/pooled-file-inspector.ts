import { extname, join } from 'node:path';
import { Fault, shown, type SessionFile } from '@fleet/contracts';
import type { FileInspector } from '@fleet/ports';
import { ThreadFailure, ThreadPool, type FailureReason, type ThreadScript } from '@fleet/thread-pool';
import { shownCount } from './bounds';
import { fileFault } from './file-source';
import type { InspectionAnswer, InspectionTask } from './inspection-messages';

export interface PoolLimits {
  readonly threads: number;
  /** Files that wait for a thread; who comes then is sent away. */
  readonly maxWaiting: number;
  /** Milliseconds for one file. */
  readonly timeoutMs: number;
  /** MiB for one file. */
  readonly memoryMib: number;
}

export const ownScript: ThreadScript = { file: join(__dirname, `inspection-worker${extname(__filename)}`) };

const busy = (why: string): Fault =>
  new Fault(
    'inspection.busy',
    'transient',
    `No file can be inspected at the moment: ${why}. Try again in a few seconds.`,
  );

type Told = (limits: PoolLimits, path: string, cause: unknown) => Fault;

const failed = (path: string, reason: string, cause: unknown): Fault =>
  fileFault('inspection_failed', path, reason, { cause });

const faults: Readonly<Record<FailureReason, Told>> = {
  full: ({ maxWaiting }) => busy(`${shownCount(maxWaiting)} files are waiting`),
  waited: () => busy('no thread was ready in time'),
  held: ({ timeoutMs }, path) =>
    busy(`the machine or its disk is too slow to read ${shown(path)} within ${shownCount(timeoutMs / 1000)} s`),
  stuck: () => busy('the disk does not answer'),
  closed: () => busy('the service is ending'),
  time: ({ timeoutMs }, path) =>
    fileFault('inspection_timeout', path, `it could not be read within ${shownCount(timeoutMs / 1000)} s`),
  memory: ({ memoryMib }, path, cause) =>
    failed(path, `reading it takes more than ${shownCount(memoryMib)} MiB of memory`, cause),
  ended: (_limits, path, cause) => failed(path, 'its content could not be read: the reader ended', cause),
  failed: (_limits, path, cause) => {
    const broken = cause instanceof Error ? cause.message : String(cause);
    return failed(path, `its content could not be read: the reader failed (${broken.slice(0, 200)})`, cause);
  },
};

/**
 * Looks into files in threads of its own, so that no file holds up whoever asks. Files are taken in the order in which they were asked
 * for; who asks for many at a time is to keep to a few at once, so that those of others come in between.
 */
export class PooledFileInspector implements FileInspector {
  private readonly pool: ThreadPool<InspectionTask, InspectionAnswer>;

  constructor(
    private readonly limits: PoolLimits,
    script: ThreadScript = ownScript,
  ) {
    const { threads, maxWaiting, timeoutMs, memoryMib } = limits;
    this.pool = new ThreadPool({ script, threads, maxWaiting, timeoutMs, memoryMib });
  }

  /**
   * @throws Fault as `FileInspector`, `file.inspection_timeout`, `file.inspection_failed`, or `inspection.busy` (transient) when too many
   * files wait, or the machine or its disk cannot read this one now
   */
  async inspect(path: string, origin: InspectionTask['origin'], root?: string): Promise<SessionFile> {
    const answer = await this.ask({ path, origin, ...(root !== undefined && { root }) });
    if ('file' in answer) return answer.file;
    const { code, kind, message, problems } = answer.fault;
    throw new Fault(code, kind, message, { problems });
  }

  /** Nest calls it when the service ends: nothing is left behind that could keep the process. */
  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }

  private async ask(task: InspectionTask): Promise<InspectionAnswer> {
    try {
      return await this.pool.run(task);
    } catch (error) {
      throw error instanceof ThreadFailure ? faults[error.reason](this.limits, task.path, error.cause) : error;
    }
  }
}
