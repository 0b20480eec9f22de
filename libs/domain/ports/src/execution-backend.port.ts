import type { AttemptEnding, AttemptResources, BackendName, FilePin, InstalledProgram } from '@fleet/contracts';

export const EXECUTION_BACKEND = Symbol('ExecutionBackend');

/**
 * A file that a program is given. It gets a copy under a name of ours: a path is the submitter's choice, and programs read more out of
 * one than a file (a line break or `;` begins a parameter, `.eff` a file of parameters).
 */
export interface RunInput {
  /** Index of the argument that takes it; absent for a companion, which lies beside the copy of another input and may not be there at all. */
  readonly argument?: number;
  /** `xray_data.file_name` where that is `xray_data.file_name=<path>`; absent where it is the path alone. */
  readonly flag?: string;
  /** Absolute, resolved: the file that was accepted. */
  readonly path: string;
  /** Folder below which it is opened, no link followed; absent: it lies below none that files may come from. */
  readonly root?: string;
  /** Where the copy lies in the attempt's folder of inputs: `1/data.mtz`. The same file has one copy. */
  readonly name: string;
  /** Absent: nobody wrote down what it was, and it is taken as it is. */
  readonly pin?: FilePin;
}

/** Arguments `<flag>=<path>` become one block each of a file, which takes the place of the first. */
export interface RunParameterFile {
  readonly name: string;
  readonly flag: string;
  /** A parameter whose value goes into every block, and whose argument is left out. */
  readonly number: string;
  /** With `{index}`, `{path}` and `{number}`. */
  readonly block: string;
}

/** Everything that is needed to launch an attempt; two specs with the same name must be the same. */
export interface RunSpec {
  /** `attemptName(...)`. */
  readonly name: string;
  /** Absolute; the session's folder. */
  readonly sessionFolder: string;
  /** Relative to the session's folder: `c003-refine/a1`. The program runs in `<attemptFolder>.running`, renamed at the end. */
  readonly attemptFolder: string;
  readonly program: string;
  /** What is executed: the installed program's command followed by the decision's arguments. */
  readonly argv: readonly string[];
  /** Files among the arguments; absent: none. */
  readonly inputs?: readonly RunInput[];
  /** Arguments that the program is given in a file, because they belong together (knowledge, `parameter_file`). */
  readonly parameterFile?: RunParameterFile;
  /** `InstalledProgram.source`: the installation that the command belongs to. */
  readonly source?: string;
  /** Whose run it is: for labels, quotas and the identity it runs under; no part of what is run. */
  readonly owner: RunOwner;
  /** Its kind of node; memory is in `limits`. */
  readonly resources: Pick<AttemptResources, 'class' | 'cpus'> & {
    /** True: the program runs on a CPU too, so a GPU is waited for only so long (ending `gpu_unavailable`). */
    readonly mayFallBack: boolean;
  };
  readonly limits: {
    /** Seconds. */
    readonly wallClock: number;
    readonly memoryMiB: number;
    /** Bytes of log after which the program is ended. */
    readonly outputBytes: number;
  };
}

export interface RunOwner {
  readonly sessionId: string;
  readonly cycle: number;
  readonly attempt: number;
  readonly proposal: string;
  readonly beamline: string;
}

/** Which run, and where its files are. */
export type RunLocation = Pick<RunSpec, 'name' | 'sessionFolder' | 'attemptFolder'>;

export type RunState =
  /**
   * Not started: the backend has no room for it now and nothing of it exists, or has put it in line (`inLine`: then `find` sees it
   * too, and it keeps its place in all limits). Ask again, after `askAgainMs` at the latest where the backend says so; `onChanged`
   * tells earlier.
   */
  | { readonly state: 'waiting'; readonly because: string; readonly inLine?: true; readonly askAgainMs?: number }
  | { readonly state: 'running'; readonly startedAt: string }
  | { readonly state: 'ended'; readonly startedAt: string; readonly ending: AttemptEnding };

/** A run as the backend itself knows it, whatever the records say. */
export interface InventoryEntry {
  readonly name: string;
  readonly owner: Pick<RunOwner, 'sessionId' | 'cycle' | 'attempt' | 'proposal'>;
  readonly createdAt: string;
  readonly ended: boolean;
}

/** What a backend holds: to find runs that no record wants any more. */
export interface RunInventory {
  /** All runs, of all executors. */
  list(): Promise<readonly InventoryEntry[]>;
  /** Ends and forgets a run that no record wants. Idempotent. */
  remove(name: string): Promise<void>;
}

/** Runs programs. Every method may be called again at any time, by any executor, after any crash. */
export interface ExecutionBackend {
  readonly name: BackendName;
  /** Absent where runs cannot outlive their records. */
  readonly inventory?: RunInventory;
  /** What is installed, probed now. */
  probe(): Promise<readonly InstalledProgram[]>;
  /**
   * Starts the run, or adopts it when it was started before; never starts it twice.
   * @throws Fault `run.spec_conflict` when a run of this name exists with another spec, `run.folder_unusable` when its
   * folder cannot be made, `run.source_unknown`, `run.class_unknown` or `run.identity_refused` when the installation does not
   * say where its program is, where or as whom it runs, `run.start_failed` (transient).
   */
  ensure(spec: RunSpec): Promise<RunState>;
  /**
   * The state of a run that was started before, whatever its spec; undefined when nothing is left of it.
   * For later sights: an installation that changed meanwhile must not make a running program a conflict.
   */
  find(run: RunLocation): Promise<RunState | undefined>;
  /**
   * Ends the whole process tree; resolves when nothing of it is left. Idempotent, also for a run that never started,
   * which then can never start any more.
   */
  cancel(run: RunLocation): Promise<void>;
  /** Called soon after a run started or ended. An accelerator only: the sweeper sees it without. */
  onChanged(listener: (name: string) => void): void;
  /** Stops watching; leaves running programs alone. */
  close(): Promise<void>;
}
