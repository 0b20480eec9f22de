import { Fault } from '@fleet/contracts/faults';
import { attemptOfName, type RunSpec } from '@fleet/contracts/runs';
import type { InstalledProgram } from '@fleet/contracts/service';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import type { ExecutionBackend, InventoryEntry, RunInventory, RunLocation, RunState } from '@fleet/ports';

const AT = '2026-11-21T08:00:00.000Z';

export const anEnding = (changes: Partial<AttemptEnding> = {}): AttemptEnding => ({
  kind: 'exited',
  exitCode: 0,
  message: 'phenix.refine ended normally.',
  infrastructure: false,
  endedAt: AT,
  durationMs: 1000,
  ...changes,
});

/** A backend without programs: tests script the result of each run, and read the recorded calls. */
export class ScriptedBackend implements ExecutionBackend {
  readonly name = 'local';
  readonly started: RunSpec[] = [];
  readonly cancelled: string[] = [];
  programs: readonly InstalledProgram[] = [
    {
      program: 'phenix.refine',
      provider: 'open-phenix',
      version: 'Servalcat 0.4.142',
      command: ['/kit/phenix.refine'],
    },
  ];
  /** While true no run starts, and nothing of it exists. */
  full = false;
  /** While set, a run is queued with this reason. */
  line: string | undefined;
  /** While set, every ensure fails with it. */
  refusal: Fault | undefined;
  /** While set, every cancel fails with it. */
  stubborn: Fault | undefined;
  readonly removed: string[] = [];
  readonly inventory: RunInventory = {
    list: () => Promise.resolve([...this.runs.keys()].map((name) => this.entryOf(name))),
    remove: (name) => {
      this.removed.push(name);
      this.runs.delete(name);
      return Promise.resolve();
    },
  };
  private readonly runs = new Map<string, RunState>();
  private readonly conflicts = new Set<string>();
  private readonly listeners: ((name: string) => void)[] = [];

  /** Until it resolves, the installed programs are unknown. */
  probing: Promise<void> = Promise.resolve();

  async probe(): Promise<readonly InstalledProgram[]> {
    await this.probing;
    return this.programs;
  }

  ensure(spec: RunSpec): Promise<RunState> {
    if (this.conflicts.has(spec.name)) {
      return Promise.reject(new Fault('run.spec_conflict', 'conflict', `${spec.name} was started before otherwise`));
    }
    const known = this.runs.get(spec.name);
    if (this.refusal !== undefined) return Promise.reject(this.refusal);
    if (known !== undefined) return Promise.resolve(known);
    if (this.full) return Promise.resolve({ state: 'waiting', reason: 'it is full' });
    this.started.push(spec);
    const state: RunState =
      this.line === undefined
        ? { state: 'running', startedAt: AT }
        : { state: 'waiting', reason: this.line, queuedOnBackend: true, retryDelayMs: 30_000 };
    this.runs.set(spec.name, state);
    return Promise.resolve(state);
  }

  find(run: RunLocation): Promise<RunState | undefined> {
    return Promise.resolve(this.runs.get(run.name));
  }

  cancel(run: RunLocation): Promise<void> {
    if (this.stubborn !== undefined) return Promise.reject(this.stubborn);
    this.cancelled.push(run.name);
    if (this.runs.get(run.name)?.state !== 'ended') {
      this.end(run.name, anEnding({ kind: 'cancelled', message: 'it was cancelled.' }));
    }
    return Promise.resolve();
  }

  onChanged(listener: (name: string) => void): void {
    this.listeners.push(listener);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Starts a queued run, and notifies the listeners. */
  start(name: string): void {
    this.runs.set(name, { state: 'running', startedAt: AT });
    this.tell(name);
  }

  /** Changes the reason of a queued run, without notification. */
  wait(name: string, reason: string): void {
    this.runs.set(name, { state: 'waiting', reason, queuedOnBackend: true, retryDelayMs: 30_000 });
  }

  /** Ends the run; notifies the listeners only if `tell`. */
  end(name: string, ending: AttemptEnding = anEnding(), tell = false): void {
    this.runs.set(name, { state: 'ended', startedAt: AT, ending });
    if (tell) this.tell(name);
  }

  /** Removes all traces of a run. */
  forget(name: string): void {
    this.runs.delete(name);
  }

  /** Makes another spec occupy this name. */
  conflict(name: string): void {
    this.conflicts.add(name);
  }

  private tell(name: string): void {
    for (const listener of this.listeners) listener(name);
  }

  private entryOf(name: string): InventoryEntry {
    const { sessionId = '', cycle = 0, attempt = 0 } = attemptOfName(name) ?? {};
    const ended = this.runs.get(name)?.state === 'ended';
    return { name, owner: { sessionId, cycle, attempt, proposal: 'mx1' }, createdAt: AT, ended };
  }
}
