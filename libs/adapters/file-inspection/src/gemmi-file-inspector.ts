import { basename, join } from 'node:path';
import { ConfigError, inspectionPython } from '@fleet/config';
import { Fault, isFault } from '@fleet/contracts/faults';
import { shown } from '@fleet/contracts/schema';
import type { FileFacts, FilePin, SessionFile } from '@fleet/contracts/sessions';
import type { FileInspector, FileOrigin } from '@fleet/ports';
import { processesOf, TaskFailure, TaskPool, type FailureReason } from '@fleet/task-pool';
import { fileFault, withFile, type FileFaultCode, type FileSource } from './file-source';

/** Limits for the readers. */
export interface ReaderLimits {
  /** Number of parallel readers, each a process. */
  readonly readers: number;
  /** Maximum waiting files; further ones are rejected. */
  readonly maxWaiting: number;
  /** Processor time limit per file, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Wall clock limit per file, in milliseconds; longer than the processor limit because a machine or a disk may be
   * slow.
   */
  readonly longestMs: number;
  /** Memory limit per file, in MiB. */
  readonly memoryMib: number;
}

const defaultReaderLimits: ReaderLimits = {
  readers: 2,
  maxWaiting: 10_000,
  timeoutMs: 10_000,
  longestMs: 60_000,
  memoryMib: 512,
};

interface Task {
  readonly path: string;
}

interface Refused {
  readonly code: FileFaultCode;
  readonly reason: string;
  readonly allowed?: string;
}

/** The response of a reader (python/fleet_inspection/__main__.py). */
type Answer =
  | {
      readonly identity: { readonly inode: string; readonly size: number; readonly modified: string };
      readonly facts: FileFacts;
    }
  | { readonly refused: Refused };

/** Number of recent files with remembered facts: a submission is previewed and then sent, each time with all its files. */
const maxRemembered = 1_000;

/** The identity of a file in `remembered`; the name belongs to it because some formats are known by it. */
const keyOf = (path: string, { sha256, inode, size, modified }: FilePin): string =>
  `${sha256 ?? `${inode} ${size} ${modified}`} ${basename(path)}`;

const sourceFolder = join(__dirname, '../python');
const shownCount = (count: number): string => count.toLocaleString('en-US');

const unavailable = (python: string, cause: unknown): Fault => {
  const why = cause instanceof Error ? cause.message : String(cause);
  const last = why.trim().split('\n').at(-1) ?? why;
  return new Fault(
    'inspection.unavailable',
    'bug',
    `Files cannot be read: their readers need Python 3.10 or newer with gemmi and numpy, and ${shown(python)} does not start them (${last.slice(0, 200)}). ` +
      'Install them (pip install gemmi numpy), or name a Python that has them in FLEET_INSPECTION_PYTHON.',
    { cause },
  );
};

const busy = (why: string): Fault =>
  new Fault(
    'inspection.busy',
    'transient',
    `No file can be inspected at the moment: ${why}. Try again in a few seconds.`,
  );

const failed = (path: string, reason: string, cause?: unknown): Fault =>
  fileFault('inspection_failed', path, reason, { cause });

type FaultOf = (limits: ReaderLimits, path: string, cause: unknown) => Fault;

const faults: Readonly<Record<FailureReason, FaultOf>> = {
  full: ({ maxWaiting }) => busy(`${shownCount(maxWaiting)} files are waiting`),
  waited: () => busy('no reader was ready in time'),
  held: ({ longestMs }, path) =>
    busy(`the machine or its disk is too slow to read ${shown(path)} within ${shownCount(longestMs / 1000)} s`),
  stuck: () => busy('the disk does not answer'),
  closed: () => busy('the service is ending'),
  time: ({ timeoutMs }, path) =>
    fileFault('inspection_timeout', path, `it could not be read within ${shownCount(timeoutMs / 1000)} s`),
  memory: ({ memoryMib }, path) => failed(path, `reading it takes more than ${shownCount(memoryMib)} MiB of memory`),
  ended: (_limits, path, cause) => failed(path, 'its content could not be read: the reader ended', cause),
  failed: (_limits, path, cause) => {
    const broken = cause instanceof Error ? cause.message : String(cause);
    return failed(path, `its content could not be read: the reader failed (${broken.slice(0, 200)})`, cause);
  },
};

/** The whole environment of the readers: others may contain secrets. */
const readerEnvironment = { LANG: 'C.UTF-8', OPENBLAS_NUM_THREADS: '1', MALLOC_ARENA_MAX: '1' };

/**
 * Inspects files with gemmi in a pool of Python processes, and pins them. Files are read in the order of the calls. A
 * caller with many files should submit a few at a time, so that others are not blocked. A file that exceeds a limit
 * only costs its process, which is replaced. A file that is pinned again with the same content is not read again.
 */
export class GemmiFileInspector implements FileInspector {
  private readonly pool: TaskPool<Task, Answer>;
  private readonly limits: ReaderLimits;
  /** Facts of recent files by their pin, the most recently used last. */
  private readonly remembered = new Map<string, FileFacts>();
  private isProven = false;

  /** @param folder of the Python package `fleet_inspection`; tests use another one */
  constructor(
    limits: Partial<ReaderLimits> = {},
    private readonly python = inspectionPython(),
    folder = sourceFolder,
  ) {
    this.limits = { ...defaultReaderLimits, ...limits };
    const { readers, maxWaiting, timeoutMs, longestMs, memoryMib } = this.limits;
    const start = `import sys; sys.path.insert(0, ${JSON.stringify(folder)}); from fleet_inspection.__main__ import main; sys.exit(main())`;
    const args = ['-I', '-B', '-c', start, '--memory-mib', String(memoryMib), '--time-ms', String(timeoutMs)];
    const command = { file: python, args, env: readerEnvironment };
    this.pool = new TaskPool(processesOf(command, { timeoutMs: longestMs }), { workers: readers, maxWaiting });
  }

  /**
   * @throws Fault as `FileInspector`, `file.compressed`, `file.inspection_timeout`, `file.inspection_failed`,
   *   `inspection.unavailable` if no reader can be started, or `inspection.busy` (transient) if too many files are
   *   waiting, or the machine or its disk is too slow
   */
  inspect(path: string, origin: FileOrigin, root?: string): Promise<SessionFile> {
    const look = async (source: FileSource): Promise<SessionFile> => {
      const pin = await source.pin();
      const facts = pin === undefined ? await this.factsOf(source) : await this.factsOfPinned(source, pin);
      return { path, size: source.identity.size, ...origin, ...(pin !== undefined && { pin }), facts };
    };
    return withFile(path, look, root);
  }

  /** Called by Nest at shutdown: ends everything that could keep the process alive. */
  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }

  /**
   * Starts a reader for the pool.
   * @throws Fault `inspection.unavailable`
   */
  async start(): Promise<void> {
    await this.ask(__filename);
  }

  private async factsOfPinned(source: FileSource, pin: FilePin): Promise<FileFacts> {
    const key = keyOf(source.path, pin);
    const facts = this.remembered.get(key) ?? (await this.factsOf(source));
    this.remembered.delete(key);
    this.remembered.set(key, facts);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > maxRemembered && oldest !== undefined) this.remembered.delete(oldest);
    return facts;
  }

  private async factsOf({ path, identity }: FileSource): Promise<FileFacts> {
    const answer = await this.ask(path);
    if ('refused' in answer) {
      const { code, reason, allowed } = answer.refused;
      throw fileFault(code, path, reason, allowed === undefined ? {} : { allowed });
    }
    const { inode, size, modified } = answer.identity;
    if (inode !== identity.inode || size !== identity.size || modified !== identity.modified) {
      throw fileFault(
        'unreadable',
        path,
        'it was modified while it was being read; try again once it no longer changes',
      );
    }
    return answer.facts;
  }

  private async ask(path: string): Promise<Answer> {
    try {
      const answer = await this.pool.run({ path });
      this.isProven = true;
      return answer;
    } catch (error) {
      if (!(error instanceof TaskFailure)) throw error;
      // If the first one ends, it has not even started.
      if (error.reason === 'ended' && !this.isProven) throw unavailable(this.python, error.cause);
      throw faults[error.reason](this.limits, path, error.cause);
    }
  }
}

/**
 * An inspector with a tested reader, for services.
 * @throws ConfigError that names the variable
 */
export const startedInspector = async (
  config: ReaderLimits & { readonly python?: string },
): Promise<GemmiFileInspector> => {
  const inspector = new GemmiFileInspector(config, inspectionPython(config.python));
  try {
    await inspector.start();
    return inspector;
  } catch (error) {
    if (!isFault(error) || error.code !== 'inspection.unavailable') throw error;
    throw new ConfigError([{ variable: 'FLEET_INSPECTION_PYTHON', reason: error.message }]);
  }
};
