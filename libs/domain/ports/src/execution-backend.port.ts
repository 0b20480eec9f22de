import type { Finding } from '@fleet/contracts/administration';
import type { RunOwner, RunSpec } from '@fleet/contracts/runs';
import type { BackendName, InstalledProgram } from '@fleet/contracts/service';
import type { AttemptEnding } from '@fleet/contracts/sessions';

/** A run, and where its files are. */
export type RunLocation = Pick<RunSpec, 'name' | 'sessionFolder' | 'attemptFolder'>;

export type RunState =
  /**
   * Not started: the backend has no room for it and nothing of it exists, or it waits in the backend's own queue (`queuedOnBackend`: then
   * `find` returns it too, and it keeps its slot in all limits). Retry after `retryDelayMs`, if given; `onChanged` notifies earlier.
   */
  | {
      readonly state: 'waiting';
      readonly reason: string;
      readonly queuedOnBackend?: true;
      readonly retryDelayMs?: number;
    }
  | { readonly state: 'running'; readonly startedAt: string }
  | { readonly state: 'ended'; readonly startedAt: string; readonly ending: AttemptEnding };

/** A run as the backend itself knows it, independent of the records. */
export interface InventoryEntry {
  readonly name: string;
  readonly owner: Pick<RunOwner, 'sessionId' | 'cycle' | 'attempt' | 'proposal'>;
  readonly createdAt: string;
  readonly ended: boolean;
}

/** All runs on a backend, to find those that no record wants any more. */
export interface RunInventory {
  /** All runs, of all executors. */
  list(): Promise<readonly InventoryEntry[]>;
  /** Stops and removes a run that no record wants. Idempotent. */
  remove(name: string): Promise<void>;
}

/** A backend's view of the site on which its programs run, for the doctor. No method starts a PHENIX program. */
export interface BackendSite {
  /** Checks that cost a few calls. May throw. */
  look(): Promise<readonly Finding[]>;
  /**
   * Starts pods (or a process) in the same way as programs and returns their findings; takes a few minutes at most. A second call with the
   * same id, by any executor, continues the first one. May throw.
   * @param signal aborts the trial; the promise then rejects
   */
  trial(id: string, signal: AbortSignal): Promise<readonly Finding[]>;
}

/** Runs programs. Every method may be repeated at any time, by any executor, after any crash. */
export interface ExecutionBackend {
  readonly name: BackendName;
  /** Absent if runs cannot outlive their records. */
  readonly inventory?: RunInventory;
  /** Absent if there is nothing to check. */
  readonly site?: BackendSite;
  /** Detects the installed programs now. */
  probe(): Promise<readonly InstalledProgram[]>;
  /**
   * Starts the run, or adopts it if it was started before; never starts it twice.
   * @throws Fault `run.spec_conflict` when a run of this name exists with another spec, `run.folder_unusable` when its folder cannot be made,
   * `run.source_unknown`, `run.class_unknown` or `run.identity_refused` when the installation does not define where its program is, or where
   * or as which user it runs, `run.start_failed` (transient).
   */
  ensure(spec: RunSpec): Promise<RunState>;
  /**
   * The state of a run that was started before, whatever its spec; undefined when nothing is left of it. Used for later checks: after a
   * change of the installation a running program must not become a conflict.
   */
  find(run: RunLocation): Promise<RunState | undefined>;
  /**
   * Ends the whole process tree; resolves when nothing of it is left. Idempotent, also for a run that never started; it can no longer start.
   */
  cancel(run: RunLocation): Promise<void>;
  /** Notifies soon after a run started or ended. Only an optimisation: the sweeper detects changes without it. */
  onChanged(listener: (name: string) => void): void;
  /** Stops watching; leaves running programs alone. */
  close(): Promise<void>;
}
