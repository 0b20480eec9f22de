import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  adoptingOrphans,
  askToCancel,
  attemptEnvironment,
  claimForCancel,
  hostIdentity,
  inOwnFolder,
  isFullDisk,
  isTakenAway,
  isThere,
  openToAppend,
  foldersOf,
  prepareAttempt,
  prepareShared,
  probePrograms,
  readRun,
  readSpec,
  refuseMissingRoot,
  runAttemptArguments,
  runAttemptScript,
  sendSignal,
  shareFolder,
  specHash,
  terminationGraceMs,
  storageFault,
  unusableFolder,
  type Account,
  type AttemptFolders,
  type HostIdentity,
  type ProbeOptions,
  type RunRecord,
} from '@fleet/attempt-runner';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import type { InstalledProgram } from '@fleet/contracts/service';
import type { BackendSite, Clock, ExecutionBackend, RunLocation, RunState } from '@fleet/ports';
import { AttemptJudge, type Sight } from './attempt-judge';
import { EndWatch } from './end-watch';
import { LocalSite } from './local-site';
import { SupervisorTable } from './supervisor-table';
import { lastSupervisorWords } from './supervisor-words';

export interface LocalBackendOptions {
  /** Absolute; runs below it count against `maxRunning`. */
  readonly workRoot: string;
  /** Number of programs that may run at once on this computer. */
  readonly maxRunning: number;
  /** Sum of the memory limits of all running programs, in MiB; a single program always starts. */
  readonly memoryMiB: number;
  /** Account that runs a proposal's programs, if the executor is root; absent: the executor's own. */
  readonly accountOf?: (owner: RunSpec['owner']) => Account;
  /** The programs' whole environment, apart from TMPDIR and the run's mark. */
  readonly environment: Readonly<Record<string, string>>;
  readonly probe: ProbeOptions;
  readonly clock: Clock;
  /** Called once for each capability that this computer lacks. */
  readonly onWarning?: (message: string) => void;
  /** Compiled `run-attempt`; by default the one in its package. */
  readonly supervisorScript?: string;
}

/** Time limit for a supervisor to claim its run, in milliseconds. */
const claimTimeoutMs = 30_000;
/**
 * Time limit for a supervisor to end after a stop request: the program's grace period plus a margin, in milliseconds.
 */
const cancelTimeoutMs = terminationGraceMs + 15_000;
const pollMs = 10;
/** Retries for a run that changes while it is read. Each change brings it nearer to its end, so few are enough. */
const looks = 5;

/** Runs programs as processes of this computer, each under a detached supervisor. Needs Linux (/proc). */
export class LocalBackend implements ExecutionBackend {
  readonly name = 'local';
  readonly site: BackendSite;
  private readonly host: HostIdentity;
  private readonly judge: AttemptJudge;
  private readonly watch: EndWatch;
  private readonly supervisorScript: string;
  /** Prefix of the supervisor's command. */
  private readonly launcher: readonly string[];
  /** Serialises starts, so that two of them cannot take the same last slot. */
  private starts: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: LocalBackendOptions) {
    this.host = hostIdentity();
    this.site = new LocalSite(options);
    this.judge = new AttemptJudge(this.host, () => options.clock.now());
    this.watch = new EndWatch((run) => this.judge.look(run));
    this.supervisorScript = options.supervisorScript ?? runAttemptScript;
    this.launcher = adoptingOrphans(options.environment);
    if (this.launcher.length === 0) options.onWarning?.(leftBehind);
  }

  async probe(): Promise<readonly InstalledProgram[]> {
    return probePrograms(this.options.probe, this.options.environment);
  }

  find(run: RunLocation): Promise<Exclude<RunState, { state: 'waiting' }> | undefined> {
    return translated(async () => {
      const sight = await this.judge.look(run);
      if (sight.state !== 'free') return this.stateOf(run, sight);
      refuseMissingRoot(run);
      return undefined;
    });
  }

  ensure(spec: RunSpec): Promise<RunState> {
    return translated(() => this.startOrAdopt(spec));
  }

  cancel(run: RunLocation): Promise<void> {
    return translated(() => this.end(run));
  }

  onChanged(listener: (name: string) => void): void {
    this.watch.onChanged(listener);
  }

  close(): Promise<void> {
    return this.watch.close();
  }

  private async startOrAdopt(spec: RunSpec): Promise<RunState> {
    const hash = specHash(spec);
    for (let look = 1; look <= looks; look += 1) {
      const sight = await this.judge.look(spec);
      if (sight.state !== 'free') {
        refuseOther(spec, hash, sight.run);
        return this.stateOf(spec, sight);
      }
      const refused = await this.inTurn(() => this.start(spec, hash));
      if (refused !== undefined) return refused;
    }
    throw new Fault('run.start_failed', 'transient', `${spec.name} could not be started: ${this.troubles(spec)}`);
  }

  private async end(run: RunLocation): Promise<void> {
    const folders = foldersOf(run);
    for (let look = 1; look <= looks; look += 1) {
      const sight = await this.judge.look(run);
      if (sight.state === 'ended') return;
      if (sight.state === 'running') {
        await this.endSupervised(run, folders, sight.run);
        return;
      }
      const claim = this.claimForCancel(run);
      if (claim === 'no way') {
        await this.judge.closeUnclaimedRun(folders, run.name, 'cancelled');
        return;
      }
      if (claim !== undefined) {
        await this.judge.close(folders, run.name, claim, 'cancelled');
        return;
      }
    }
    throw new Fault('run.cancel_failed', 'transient', `${run.name} could not be cancelled: it changes too quickly`);
  }

  /** `no way`: the run's folder path is blocked, so nothing can be started there either. */
  private claimForCancel(run: RunLocation): RunRecord | 'no way' | undefined {
    try {
      return claimForCancel(run, this.options.clock.now());
    } catch (error) {
      if (unusableFolder(error, run.sessionFolder) === undefined) throw error;
      return 'no way';
    }
  }

  private stateOf(run: RunLocation, sight: Exclude<Sight, { state: 'free' }>): Exclude<RunState, { state: 'waiting' }> {
    if (sight.state === 'running') {
      this.watch.add(run);
      return { state: 'running', startedAt: sight.run.startedAt };
    }
    return { state: 'ended', startedAt: sight.result.startedAt, ending: sight.result.ending };
  }

  /**
   * Creates the folder and starts a supervisor. Returns undefined if this or another process has claimed the run by
   * now.
   */
  private async start(spec: RunSpec, hash: string): Promise<RunState | undefined> {
    refuseMissingRoot(spec);
    const folders = foldersOf(spec);
    const supervisors = this.supervisors();
    if (supervisors.has(spec) && isTakenAway(folders)) return this.closeTakenAway(spec, folders);
    const full = this.roomFor(spec, supervisors.runningFolders());
    if (full !== undefined) return { state: 'waiting', reason: full };
    const refused = await this.prepareAndStart(spec, hash, folders);
    return refused ?? (isTakenAway(folders) ? this.closeTakenAway(spec, folders) : undefined);
  }

  private async prepareAndStart(
    spec: RunSpec,
    hash: string,
    { running: folder, published }: AttemptFolders,
  ): Promise<RunState | undefined> {
    try {
      const account = this.options.accountOf?.(spec.owner);
      if (account !== undefined) shareFolder(dirname(spec.sessionFolder), account.gid);
      const isPrepared =
        account === undefined ? prepareAttempt(folder, spec, hash) : prepareShared(spec, hash, account.gid);
      if (!isPrepared) throw conflict(spec);
      await this.startSupervisor(spec, folder, account);
    } catch (error) {
      if (isFullDisk(error)) return { state: 'waiting', reason: 'the disk of the work root is full' };
      // Published or cancelled meanwhile: the next check will show.
      if (errnoOf(error) === 'ENOENT' && isThere(published)) return undefined;
      throw unusableFolder(error, folder) ?? error;
    }
    return undefined;
  }

  private supervisors(): SupervisorTable {
    return SupervisorTable.read(this.options.workRoot, this.supervisorScript);
  }

  /** Resolves when the run is claimed, or the supervisor has ended. */
  private async startSupervisor(run: RunLocation, folder: string, account?: Account): Promise<void> {
    const log = inOwnFolder(folder, (at) => openToAppend(join(at, basename(attemptFiles.supervisorLog))));
    const command = [
      ...runningAs(account),
      ...this.launcher,
      process.execPath,
      this.supervisorScript,
      ...runAttemptArguments(run),
    ];
    const supervisor = spawn(command[0] ?? process.execPath, command.slice(1), {
      cwd: folder,
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...this.options.environment, ...attemptEnvironment(run) },
    });
    closeSync(log);
    let failure: Error | undefined;
    supervisor.once('error', (error) => {
      failure = error;
    });
    supervisor.once('exit', () => this.watch.lookAt(run.name));
    supervisor.unref();
    const until = performance.now() + claimTimeoutMs;
    while (supervisor.exitCode === null && supervisor.signalCode === null && performance.now() < until) {
      if (failure !== undefined) throw new Fault('run.start_failed', 'transient', failure.message, { cause: failure });
      if (readRun(folder) !== undefined) return;
      await sleep(pollMs);
    }
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.starts.then(work);
    this.starts = turn.catch(() => undefined);
    return turn;
  }

  /** Why a run cannot start now; undefined if it can. */
  private roomFor({ limits }: RunSpec, running: readonly string[]): string | undefined {
    if (running.length === 0) return undefined;
    if (running.length >= this.options.maxRunning) {
      return `${String(running.length)} programs are running on this computer, which is its limit`;
    }
    const claimed = running.reduce((sum, folder) => sum + (readSpec(folder)?.spec.limits.memoryMiB ?? 0), 0);
    const free = this.options.memoryMiB - claimed;
    return limits.memoryMiB <= free
      ? undefined
      : `it may take ${limits.memoryMiB} MiB of memory, and running programs leave ${free} MiB`;
  }

  /**
   * Closes a run as lost if its program has removed its folder. Its claim is unreadable, so the run would start again.
   * Its supervisor can record nothing, and is ended.
   */
  private async closeTakenAway(spec: RunSpec, folders: AttemptFolders): Promise<RunState> {
    this.supervisors().kill(spec);
    const { startedAt, ending } = await this.judge.closeUnclaimedRun(folders, spec.name, 'lost');
    return { state: 'ended', startedAt, ending };
  }

  private async endSupervised(run: RunLocation, folders: AttemptFolders, record: RunRecord): Promise<void> {
    if (!askToCancel(folders, this.options.clock.now())) return;
    if (this.judge.isSupervisor(record, run.name)) sendSignal(record.supervisor.pid, 'SIGTERM');
    const until = performance.now() + cancelTimeoutMs;
    while (performance.now() < until) {
      const ended = (await this.judge.look(run)).state === 'ended';
      if (ended && !this.judge.isSupervisor(record, run.name)) return;
      await sleep(pollMs);
    }
    if (!this.judge.isHere(record)) {
      throw new Fault('run.cancel_failed', 'transient', `${run.name} runs on another computer, which does not answer`);
    }
    if (this.judge.isSupervisor(record, run.name)) sendSignal(record.supervisor.pid, 'SIGKILL');
    await this.judge.close(folders, run.name, record, 'cancelled');
  }

  private troubles(run: RunLocation): string {
    return lastSupervisorWords(foldersOf(run).running);
  }
}

/**
 * Command prefix that switches to another account, without the executor's groups and privileges, and without a way to
 * gain new ones.
 */
const runningAs = (account: Account | undefined): readonly string[] =>
  account === undefined
    ? []
    : [
        ...['setpriv', '--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups'],
        ...['--no-new-privs', '--bounding-set', '-all', '--inh-caps', '-all', '--'],
      ];

const leftBehind =
  'processes that a program leaves behind on purpose (without a parent, with another environment) cannot be ended here: neither perl nor python3 ' +
  'is on the PATH of programs, one of which is needed to be given them (prctl, PR_SET_CHILD_SUBREAPER)';

const conflict = (spec: RunSpec): Fault =>
  new Fault('run.spec_conflict', 'conflict', `${spec.name} was started before with another command or other limits`);

const refuseOther = (spec: RunSpec, hash: string, run: RunRecord | undefined): void => {
  if (run?.claimedBy === 'supervisor' && run.specHash !== '' && run.specHash !== hash) throw conflict(spec);
};

/** An error of a disk or file server is transient. */
const translated = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw storageFault(error);
  }
};
