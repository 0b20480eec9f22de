import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '@fleet/contracts/faults';
import { attemptFiles } from '@fleet/contracts/runs';
import type { AttemptEnding } from '@fleet/contracts/sessions';
import { claimRun } from '../attempt/attempt-claims';
import {
  hasOwnFile,
  publish,
  readResult,
  readSpec,
  writeResult,
  type AttemptFolders,
} from '../attempt/attempt-files-of';
import type { ResultRecord, RunRecord, SpecRecord } from '../attempt/attempt-records';
import {
  describeEnding,
  describeFailedStart,
  diskFullAtStart,
  type ForcedEnding,
  type RawEnding,
  type Outcome,
} from '../attempt/ending-words';
import { isFullDisk, moveAside, openToAppend, replaceFile, writeDurably } from '../attempt/exclusive-file';
import { isThere } from '../attempt/folder-faults';
import { inAttemptFolder, inOwnFolder, makeOwnFolder, whatIs } from '../attempt/own-folder';
import { isSealedResult, SupervisorSeal } from '../attempt/result-seal';
import { removeInputs } from '../attempt/remove-inputs';
import { readProcess, type ProcessIdentity } from '../processes/process-table';
import { ProcessTree } from '../processes/process-tree';
import { diskIsFull, logTellsFullDisk } from './disk';
import { shareWithGroup } from './group-access';
import { countOomKills } from './cgroup-memory';
import { withRoomMade } from './free-room';
import { LimitWatch } from './limit-watch';
import { OutputCopy } from './output-copy';
import { keepFolder } from './output-sync';
import { stageRun, type StagedRun } from './stage-run';

/** Bytes reserved on the disk for the result. */
const reserveBytes = 64 * 1024;
/** Tries to write the result on a disk that stays full, one per second. */
const resultTries = 60;
/** Tries to write the result if the folder is missing. */
const missingTries = 10;
/** Pause before the second try, in milliseconds: whatever blocked the path is moved aside by then. */
const firstPauseMs = 50;
/** Errors if the executor's files are replaced or its folders are locked. */
const inTheWay: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EEXIST', 'file.is_link']);
/** Half the heartbeat timeout, because no heartbeat is written meanwhile; milliseconds. */
const keepTimeoutMs = 30_000;
const specTimeoutMs = 10_000;
const specPollMs = 250;
/**
 * The supervisor is the first process of its container, so all other processes and the memory cgroup belong to the
 * program.
 */
const isContainer = process.pid === 1;

interface ProgramExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface SupervisionOptions {
  /** Copies the program's log to standard output, where a container's log is read. */
  readonly copyOutput: boolean;
  /** Lets the group move and delete whatever the program created. */
  readonly shareWithGroup: boolean;
  /** Delay until a new file is visible on another computer, in milliseconds. */
  readonly specTimeoutMs?: number;
  /** Records the program's process, if the disk allows it. */
  readonly replaceFile?: typeof replaceFile;
}

/** Supervises one attempt from its claim to its published folder. */
export class Supervision {
  private readonly folder: string;
  /** Created before the program starts, so that the program cannot forge it. */
  private readonly seal = new SupervisorSeal();
  private stopRequested = false;
  private watch: LimitWatch | undefined;

  constructor(
    private readonly folders: AttemptFolders,
    private readonly options: SupervisionOptions,
  ) {
    this.folder = folders.running;
  }

  /** A signal arrived: a cancel or a shutdown. */
  requestStop(): void {
    this.stopRequested = true;
    this.watch?.force(this.forcedEnding());
  }

  /**
   * `elsewhere`: the attempt belongs to another supervisor, a cancel or an executor, so nothing was done or may be
   * recorded.
   */
  async run(): Promise<'recorded' | 'elsewhere'> {
    const spec = await this.findSpec();
    if (spec === undefined) return 'elsewhere';
    const startedAt = new Date().toISOString();
    const { key } = this.seal;
    const claim = claimRun(this.folder, { name: spec.spec.name, specHash: spec.hash, startedAt, key });
    if (claim === undefined) return 'elsewhere';
    if (whatIs(this.folders.published) !== undefined) {
      // The attempt ended before this claim was made; a late start created this folder.
      inAttemptFolder(dirname(this.folder), (at) =>
        rmSync(join(at, basename(this.folder)), { recursive: true, force: true }),
      );
      return 'elsewhere';
    }
    const began = performance.now();
    const outcome = await this.supervise(spec, claim).catch((error: unknown) => {
      if (isFullDisk(error)) return diskFullAtStart(spec.spec.program);
      if (errnoOf(error) === 'ENOENT' && !isThere(this.folder)) return undefined;
      throw error;
    });
    // Another process has closed the attempt while the program ran. The program is ended by now.
    if (outcome === undefined || this.watch?.lost === true) return 'elsewhere';
    const ending: AttemptEnding = {
      ...withRoomMade(outcome, this.folder),
      endedAt: new Date().toISOString(),
      durationMs: Math.round(performance.now() - began),
    };
    await this.record({ schemaVersion: 1, name: spec.spec.name, startedAt: claim.startedAt, ending });
    return 'recorded';
  }

  /** Undefined if the attempt is already published. On a shared file system a new file may appear late. */
  private async findSpec(): Promise<SpecRecord | undefined> {
    const until = performance.now() + (this.options.specTimeoutMs ?? specTimeoutMs);
    for (;;) {
      const spec = readSpec(this.folder);
      if (spec !== undefined) return spec;
      if (isThere(this.folders.published)) return undefined;
      if (performance.now() >= until) throw new Error(`no readable ${attemptFiles.spec} in ${this.folder}`);
      await sleep(specPollMs);
    }
  }

  private async supervise({ spec }: SpecRecord, claim: RunRecord): Promise<Outcome | undefined> {
    const { program, limits } = spec;
    if (this.stopRequested || hasOwnFile(this.folder, attemptFiles.cancel)) {
      return describeEnding({ program, limits, exitCode: null, signal: null, endedBecause: this.forcedEnding() });
    }
    inOwnFolder(this.folder, makeRoom);
    const log = inAttemptFolder(this.folder, (at) => openToAppend(join(at, attemptFiles.log)));
    const copy = this.options.copyOutput ? new OutputCopy(log) : undefined;
    copy?.start();
    try {
      const staged = await stageRun(spec, this.folders, () => (this.stopRequested ? this.forcedEnding() : undefined));
      if (staged.state === 'ready') return await this.launch(spec, staged, claim, log);
      return staged.state === 'ended' ? staged.outcome : undefined;
    } finally {
      await copy?.finish();
      closeSync(log);
    }
  }

  private async launch(
    { program, limits, name }: SpecRecord['spec'],
    { argv, wallClock }: Extract<StagedRun, { state: 'ready' }>,
    claim: RunRecord,
    log: number,
  ): Promise<Outcome> {
    const [executable = '', ...rest] = argv;
    const killsBefore = countOomKills();
    const child = startProgram(executable, rest, this.folder, log);
    if (child instanceof Error) return describeFailedStart(program, executable, child);
    const exit = exitOf(child);
    const identity = identityOf(child);
    const tree = new ProcessTree(name, identity, process.pid);
    await this.note(claim, identity, tree);
    const forcedEnding = (): ForcedEnding => this.forcedEnding();
    const watch = new LimitWatch({ folders: this.folders, log, tree, limits: { ...limits, wallClock }, forcedEnding });
    this.watch = watch;
    watch.start();
    const end = await exit;
    watch.stop();
    await watch.ending;
    if (end instanceof Error) return describeFailedStart(program, executable, end);
    await tree.end();
    const cause = end.exitCode === 0 ? undefined : this.causeOf(watch, log, killsBefore);
    const described = describeEnding({ program, limits, ...end, cause, endedBecause: watch.forced });
    return watch.peakBytes > 0 ? { ...described, peakMemoryMiB: Math.ceil(watch.peakBytes / 1024 / 1024) } : described;
  }

  /** Why a program failed, if the system reports it. */
  private causeOf(watch: LimitWatch, log: number, killsBefore: number): RawEnding['cause'] {
    if (isContainer && countOomKills() > killsBefore) return 'out_of_memory';
    const full = watch.diskWasFull || diskIsFull(this.folder) || logTellsFullDisk(log);
    return full ? 'disk_full' : undefined;
  }

  /**
   * Records the program's process in the claim, so that an executor can end it if this supervisor dies. If that fails,
   * the program does not run.
   */
  private async note(claim: RunRecord, program: ProcessIdentity | undefined, tree: ProcessTree): Promise<void> {
    if (program === undefined) return;
    try {
      const noted: RunRecord = { ...claim, program, programSeal: this.seal.ofProgram(claim.name, program) };
      const replace = this.options.replaceFile ?? replaceFile;
      inOwnFolder(this.folder, (at) => replace(join(at, basename(attemptFiles.run)), noted));
    } catch (error) {
      await tree.end();
      throw error;
    }
  }

  private forcedEnding(): ForcedEnding {
    return hasOwnFile(this.folder, attemptFiles.cancel) ? 'cancelled' : 'stop_requested';
  }

  /** Writes the result last, then gives the folder its final name. */
  private async record(unsealed: Omit<ResultRecord, 'seal'>): Promise<void> {
    const result: ResultRecord = { ...unsealed, seal: this.seal.ofResult(unsealed) };
    this.tidy();
    // Only the log analysis reads the outputs: a run that is restarted or cancelled is not read, and time may be short.
    const { infrastructure, kind } = result.ending;
    if (!infrastructure && kind !== 'cancelled') await this.keepOutputs();
    for (let tries = 1; ; tries += 1) {
      try {
        this.writeAndPublish(result);
        return;
      } catch (error) {
        if (this.isTakenAway()) return;
        this.clearTheWay(error, tries);
        await sleep(tries === 1 ? firstPauseMs : 1_000);
      }
    }
  }

  /** Moves aside whatever a program left at the result's path. On a failing disk the next try may succeed. */
  private clearTheWay(error: unknown, tries: number): void {
    const isThereStill = whatIs(this.folder) !== undefined;
    if (tries >= (isThereStill ? resultTries : missingTries)) throw error;
    if (isThereStill && inTheWay.has(errnoOf(error) ?? '')) makeOwnFolder(this.folder);
  }

  /** An executor has published the folder after it saw the result, or has closed the attempt. */
  private isTakenAway(): boolean {
    return whatIs(this.folder) === undefined && readResult(this.folders.published) !== undefined;
  }

  /** An executor's result for a run that it considered lost counts; a result written by the program does not. */
  private writeAndPublish(result: ResultRecord): void {
    const isGenuine = (written: ResultRecord): boolean =>
      written.ending.kind !== 'exited' || isSealedResult(written, this.seal);
    writeResult(this.folder, result, isGenuine);
    publish(this.folders, isGenuine);
  }

  /** A slow disk syncs the rest a little later. */
  private async keepOutputs(): Promise<void> {
    const until = performance.now() + keepTimeoutMs;
    const onTrouble = (path: string, error: unknown): void =>
      console.error(`${path} may not survive a power failure:`, error);
    const synced = keepFolder(this.folder, () => this.stopRequested || performance.now() > until, onTrouble);
    await Promise.race([synced, sleep(keepTimeoutMs, undefined, { ref: false })]);
  }

  /** Files that cannot be removed stay: a program can lock its own folders, and that must not cost its result. */
  private tidy(): void {
    try {
      removeInputs(this.folder);
      inOwnFolder(this.folder, (at) => rmSync(join(at, basename(attemptFiles.reserve)), { force: true }));
      const closed = this.options.shareWithGroup ? shareWithGroup(this.folder) : [];
      for (const path of closed) console.error(`${path} stays closed to the group`);
      inOwnFolder(this.folder, (at) =>
        rmSync(join(at, basename(attemptFiles.temporary)), { recursive: true, force: true }),
      );
    } catch (error) {
      console.error(error);
    }
  }
}

/** Creates a temporary folder and a disk reserve; both are new, whatever existed under their names. */
const makeRoom = (at: string): void => {
  const [temporary, reserve] = [attemptFiles.temporary, attemptFiles.reserve].map((file) => join(at, basename(file)));
  if (temporary === undefined || reserve === undefined) return;
  for (const path of [temporary, reserve]) moveAside(path, 'aside');
  mkdirSync(temporary);
  writeDurably(reserve, 'x'.repeat(reserveBytes));
};

const startProgram = (executable: string, rest: readonly string[], cwd: string, log: number): ChildProcess | Error => {
  try {
    return spawn(executable, rest, { cwd, detached: true, shell: false, stdio: ['ignore', log, log] });
  } catch (error) {
    // Some errors are thrown (a NUL in an argument, E2BIG), the others are events.
    return error instanceof Error ? error : new Error(String(error));
  }
};

const identityOf = ({ pid }: ChildProcess): ProcessIdentity | undefined => {
  const entry = pid === undefined ? undefined : readProcess(pid);
  return entry === undefined ? undefined : { pid: entry.pid, startTime: entry.startTime };
};

const exitOf = (child: ChildProcess): Promise<ProgramExit | Error> =>
  new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
