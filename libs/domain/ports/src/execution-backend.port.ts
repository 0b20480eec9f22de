import type { Finding } from '@fleet/contracts/administration';
import type { RunOwner, RunSpec } from '@fleet/contracts/runs';
import type { BackendName, InstalledProgram } from '@fleet/contracts/service';
import type { AttemptEnding } from '@fleet/contracts/sessions';

export const EXECUTION_BACKEND = Symbol('ExecutionBackend');

/** Which run, and where its files are. */
export type RunLocation = Pick<RunSpec, 'name' | 'sessionFolder' | 'attemptFolder'>;

export type RunState =
  /**
   * Not started: the backend has no room for it now and nothing of it exists, or has put it in line (`queuedOnBackend`: then `find` sees it
   * too, and it keeps its place in all limits). Ask again, after `retryDelayMs` at the latest where the backend says so; `onChanged`
   * tells earlier.
   */
  | {
      readonly state: 'waiting';
      readonly reason: string;
      readonly queuedOnBackend?: true;
      readonly retryDelayMs?: number;
    }
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

/** What a backend sees of the place where its programs run, for the doctor. Nothing of it starts a program. */
export interface BackendSite {
  /** A look that costs a few calls. May throw. */
  look(): Promise<readonly Finding[]>;
  /**
   * Starts pods (or a process) as programs are started, and tells what they see; takes minutes at the most. Called again with the same id,
   * by any executor, it continues with what was started. May throw.
   * @param signal ends the look early; it then rejects
   */
  trial(id: string, signal: AbortSignal): Promise<readonly Finding[]>;
}

/** Runs programs. Every method may be called again at any time, by any executor, after any crash. */
export interface ExecutionBackend {
  readonly name: BackendName;
  /** Absent where runs cannot outlive their records. */
  readonly inventory?: RunInventory;
  /** Absent where there is nothing to see. */
  readonly site?: BackendSite;
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
