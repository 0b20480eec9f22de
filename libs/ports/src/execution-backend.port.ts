import type { AttemptEnding, BackendName, InstalledProgram } from '@fleet/contracts';

export const EXECUTION_BACKEND = Symbol('ExecutionBackend');

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
  readonly limits: {
    /** Seconds. */
    readonly wallClock: number;
    readonly memoryMiB: number;
    /** Bytes of log after which the program is ended. */
    readonly outputBytes: number;
  };
}

/** Which run, and where its files are. */
export type RunPlace = Pick<RunSpec, 'name' | 'sessionFolder' | 'attemptFolder'>;

export type RunState =
  /** Not started: the backend has no room for it now. Ask again. */
  | { readonly state: 'waiting'; readonly because: string }
  | { readonly state: 'running'; readonly startedAt: string }
  | { readonly state: 'ended'; readonly startedAt: string; readonly ending: AttemptEnding };

/** Runs programs. Every method may be called again at any time, by any executor, after any crash. */
export interface ExecutionBackend {
  readonly name: BackendName;
  /** What is installed, probed now. */
  probe(): Promise<readonly InstalledProgram[]>;
  /**
   * Starts the run, or adopts it when it was started before; never starts it twice.
   * @throws Fault `run.spec_conflict` when a run of this name exists with another spec, `run.folder_unusable` when its
   * folder cannot be made, `run.start_failed` (transient).
   */
  ensure(spec: RunSpec): Promise<RunState>;
  /**
   * The state of a run that was started before, whatever its spec; undefined when nothing is left of it.
   * For later sights: an installation that changed meanwhile must not make a running program a conflict.
   */
  find(run: RunPlace): Promise<Exclude<RunState, { state: 'waiting' }> | undefined>;
  /**
   * Ends the whole process tree; resolves when nothing of it is left. Idempotent, also for a run that never started,
   * which then can never start any more.
   */
  cancel(run: RunPlace): Promise<void>;
  /** Called soon after a run of this executor ended. An accelerator only: the sweeper sees ends without it. */
  onEnded(listener: (name: string) => void): void;
  /** Stops watching; leaves running programs alone. */
  close(): Promise<void>;
}
