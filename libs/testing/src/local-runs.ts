import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attemptFiles, runningSuffix, type RunSpec } from '@fleet/contracts/runs';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import { LocalBackend, type LocalBackendOptions } from '@fleet/local-backend';
import { systemClock, type RunState } from '@fleet/ports';
import { compileSupervisor } from './compiled-supervisor';

/** Real runs of real processes in a temporary work root; create one per test file and call `dispose`. */
export class LocalRuns {
  readonly supervisor = compileSupervisor();
  readonly root = mkdtempSync(join(tmpdir(), 'fleet-runs-'));
  readonly environment = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: this.root,
    USER: 'tester',
    LANG: 'C.UTF-8',
  };
  private readonly backends: LocalBackend[] = [];
  private serial = 0;

  /** The backend of a new executor, as after a restart: it knows only the files and the process table. */
  aBackend(maxRunning = 16, memoryMiB = 1e6, accountOf?: LocalBackendOptions['accountOf']): LocalBackend {
    const backend = new LocalBackend({
      workRoot: this.root,
      maxRunning,
      memoryMiB,
      ...(accountOf !== undefined && { accountOf }),
      environment: this.environment,
      clock: systemClock,
      supervisorScript: this.supervisor.script,
      probe: { programs: [], searchFolders: [], onWarning: () => undefined },
    });
    this.backends.push(backend);
    return backend;
  }

  aSpec(argv: readonly string[], limits: Partial<RunSpec['limits']> = {}, root: string = this.root): RunSpec {
    this.serial += 1;
    const session = `session${String(this.serial)}`;
    mkdirSync(join(root, session), { recursive: true });
    return {
      name: `${session}-${String(process.pid)}-c001-a1`,
      sessionFolder: join(root, session),
      attemptFolder: 'c001-refine/a1',
      program: 'phenix.refine',
      argv,
      owner: { sessionId: session, cycle: 1, attempt: 1, proposal: 'mx1', beamline: 'i04', priority: 'standard' },
      resources: { class: 'cpu', cpus: 1, mayFallBack: false },
      limits: { wallClock: 60, memoryMiB: 4096, outputBytes: 1024 * 1024, ...limits },
    };
  }

  async endOf(backend: LocalBackend, spec: RunSpec): Promise<AttemptEnding> {
    const state = await this.settled(backend, spec);
    if (state.state !== 'ended') throw new Error(`${spec.name} is ${state.state}`);
    return state.ending;
  }

  /** Polls until the run has ended. */
  async settled(backend: LocalBackend, spec: RunSpec): Promise<Exclude<RunState, { state: 'running' }>> {
    const until = Date.now() + 600_000;
    for (;;) {
      const state = await backend.ensure(spec);
      if (state.state !== 'running') return state;
      if (Date.now() > until) throw new Error(`${spec.name} runs for ever`);
      await sleep(20);
    }
  }

  runToEnd(argv: readonly string[], limits: Partial<RunSpec['limits']> = {}): Promise<AttemptEnding> {
    return this.endOf(this.aBackend(), this.aSpec(argv, limits));
  }

  async dispose(): Promise<void> {
    for (const backend of this.backends) await backend.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

export const publishedFolder = (spec: RunSpec): string => join(spec.sessionFolder, spec.attemptFolder);
export const runningFolder = (spec: RunSpec): string => `${publishedFolder(spec)}${runningSuffix}`;
export const logOf = (spec: RunSpec): Buffer => readFileSync(join(publishedFolder(spec), attemptFiles.log));

/** Polls until a condition holds; only a hung test meets the limit. */
export const eventually = async <T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> => {
  const until = Date.now() + 600_000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > until) throw new Error(`never seen: ${what}`);
    await sleep(20);
  }
};

const contentOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** Pids of live processes with the run's mark in their environment, including its supervisor. */
export const processesOf = (spec: Pick<RunSpec, 'name'>): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && contentOf(`/proc/${name}/environ`).includes(`FLEET_ATTEMPT=${spec.name}\0`))
    .map(Number);
