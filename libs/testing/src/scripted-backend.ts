import { Fault, type AttemptEnding, type InstalledProgram } from '@fleet/contracts';
import type { ExecutionBackend, RunPlace, RunSpec, RunState } from '@fleet/ports';

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

/** A backend without programs: tests say what becomes of each run, and see what was asked of it. */
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
  /** While true no run starts. */
  full = false;
  private readonly runs = new Map<string, Exclude<RunState, { state: 'waiting' }>>();
  private readonly conflicts = new Set<string>();
  private listener: (name: string) => void = () => undefined;

  probe(): Promise<readonly InstalledProgram[]> {
    return Promise.resolve(this.programs);
  }

  ensure(spec: RunSpec): Promise<RunState> {
    if (this.conflicts.has(spec.name)) {
      return Promise.reject(new Fault('run.spec_conflict', 'conflict', `${spec.name} was started before otherwise`));
    }
    const known = this.runs.get(spec.name);
    if (known !== undefined) return Promise.resolve(known);
    if (this.full) return Promise.resolve({ state: 'waiting', because: 'it is full' });
    this.started.push(spec);
    const state = { state: 'running', startedAt: AT } as const;
    this.runs.set(spec.name, state);
    return Promise.resolve(state);
  }

  find(run: RunPlace): Promise<Exclude<RunState, { state: 'waiting' }> | undefined> {
    return Promise.resolve(this.runs.get(run.name));
  }

  cancel(run: RunPlace): Promise<void> {
    this.cancelled.push(run.name);
    if (this.runs.get(run.name)?.state !== 'ended') {
      this.end(run.name, anEnding({ kind: 'cancelled', message: 'it was cancelled.' }));
    }
    return Promise.resolve();
  }

  onChanged(listener: (name: string) => void): void {
    this.listener = listener;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The run ends; nobody is told unless `tell`. */
  end(name: string, ending: AttemptEnding = anEnding(), tell = false): void {
    this.runs.set(name, { state: 'ended', startedAt: AT, ending });
    if (tell) this.listener(name);
  }

  /** All that was known of a run is gone. */
  forget(name: string): void {
    this.runs.delete(name);
  }

  /** Another spec holds this name. */
  conflict(name: string): void {
    this.conflicts.add(name);
  }
}
