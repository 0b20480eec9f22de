import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attemptFiles, type AttemptEnding } from '@fleet/contracts';
import { claimRun } from '../attempt/attempt-claims';
import { publish, readResult, readSpec, writeResult, type AttemptPlace } from '../attempt/attempt-files-of';
import type { RunRecord, SpecRecord } from '../attempt/attempt-records';
import {
  describeEnding,
  describeFailedStart,
  diskFullAtStart,
  type ForcedEnding,
  type RawEnding,
  type Outcome,
} from '../attempt/ending-words';
import { errorCode, isFullDisk, replaceFile, writeDurably } from '../attempt/exclusive-file';
import { isThere } from '../attempt/folder-faults';
import { removeInputs } from '../inputs/remove-inputs';
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

/** Bytes kept back on the disk for the result. */
const reserveBytes = 64 * 1024;
/** The result is tried this often on a disk that stays full, a second apart. */
const resultTries = 60;
/** Half of what others wait for a sign of life, of which there is none meanwhile; milliseconds. */
const keepPatienceMs = 30_000;
/** How long a file system may keep a new file from another computer's sight, in milliseconds. */
const specPatienceMs = 10_000;
const specPollMs = 250;
/** The supervisor is the first process of its container, so that all others, and the memory cgroup, are the program's. */
const isContainer = process.pid === 1;

interface ProgramExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface SupervisionOptions {
  /** Copies the program's log to standard output, where a container's log is read. */
  readonly copyOutput: boolean;
  /** Lets the group move and delete whatever the program made. */
  readonly shareWithGroup: boolean;
}

/** One attempt from claim to published folder. */
export class Supervision {
  private readonly folder: string;
  private told = false;
  private watch: LimitWatch | undefined;

  constructor(
    private readonly place: AttemptPlace,
    private readonly options: SupervisionOptions,
  ) {
    this.folder = place.running;
  }

  /** A signal arrived: somebody cancelled, or the computer goes down. */
  tell(): void {
    this.told = true;
    this.watch?.force(this.toldBecause());
  }

  /** `elsewhere`: another supervisor, a canceller or an executor has it, so nothing was done, or may be recorded. */
  async run(): Promise<'recorded' | 'elsewhere'> {
    const spec = await this.findSpec();
    if (spec === undefined) return 'elsewhere';
    const startedAt = new Date().toISOString();
    const claim = claimRun(this.folder, { name: spec.spec.name, specHash: spec.hash, startedAt });
    if (claim === undefined) return 'elsewhere';
    if (isThere(this.place.published)) {
      // The attempt ended before this claim was made; this folder was made by a start that came too late.
      rmSync(this.folder, { recursive: true, force: true });
      return 'elsewhere';
    }
    const began = performance.now();
    const outcome = await this.supervise(spec, claim).catch((error: unknown) => {
      if (isFullDisk(error)) return diskFullAtStart(spec.spec.program);
      if (errorCode(error) === 'ENOENT' && !isThere(this.folder)) return undefined;
      throw error;
    });
    // Somebody has taken the attempt away from under the program, which is ended by now.
    if (outcome === undefined || this.watch?.lost === true) return 'elsewhere';
    const ending: AttemptEnding = {
      ...withRoomMade(outcome, this.folder),
      endedAt: new Date().toISOString(),
      durationMs: Math.round(performance.now() - began),
    };
    await this.record({ schemaVersion: 1, name: spec.spec.name, startedAt: claim.startedAt, ending });
    return 'recorded';
  }

  /** Undefined when the attempt is published already. On a shared file system a new file may be seen late. */
  private async findSpec(): Promise<SpecRecord | undefined> {
    const until = performance.now() + specPatienceMs;
    for (;;) {
      const spec = readSpec(this.folder);
      if (spec !== undefined) return spec;
      if (isThere(this.place.published)) return undefined;
      if (performance.now() >= until) throw new Error(`no readable ${attemptFiles.spec} in ${this.folder}`);
      await sleep(specPollMs);
    }
  }

  private async supervise({ spec }: SpecRecord, claim: RunRecord): Promise<Outcome | undefined> {
    const { program, limits } = spec;
    if (this.told || existsSync(join(this.folder, attemptFiles.cancel))) {
      return describeEnding({ program, limits, exitCode: null, signal: null, endedBecause: this.toldBecause() });
    }
    mkdirSync(join(this.folder, attemptFiles.temporary), { recursive: true });
    writeDurably(join(this.folder, attemptFiles.reserve), 'x'.repeat(reserveBytes));
    const log = openSync(join(this.folder, attemptFiles.log), 'a+');
    const copy = this.options.copyOutput ? new OutputCopy(log) : undefined;
    copy?.start();
    try {
      const staged = await stageRun(spec, this.place, () => (this.told ? this.toldBecause() : undefined));
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
    const toldBecause = (): ForcedEnding => this.toldBecause();
    const watch = new LimitWatch({ place: this.place, log, tree, limits: { ...limits, wallClock }, toldBecause });
    this.watch = watch;
    watch.start();
    const end = await exit;
    watch.stop();
    if (end instanceof Error) return describeFailedStart(program, executable, end);
    await tree.end();
    const cause = end.exitCode === 0 ? undefined : this.causeOf(watch, log, killsBefore);
    const described = describeEnding({ program, limits, ...end, cause, endedBecause: watch.forced });
    return watch.peakBytes > 0 ? { ...described, peakMemoryMiB: Math.ceil(watch.peakBytes / 1024 / 1024) } : described;
  }

  /** Why a program failed, where the system tells. */
  private causeOf(watch: LimitWatch, log: number, killsBefore: number): RawEnding['cause'] {
    if (isContainer && countOomKills() > killsBefore) return 'out_of_memory';
    const full = watch.diskWasFull || diskIsFull(this.folder) || logTellsFullDisk(log);
    return full ? 'disk_full' : undefined;
  }

  /** Writes down which process the program is; whoever finds us dead ends it by this. Where that cannot be, it does not run. */
  private async note(claim: RunRecord, program: ProcessIdentity | undefined, tree: ProcessTree): Promise<void> {
    if (program === undefined) return;
    try {
      replaceFile(join(this.folder, attemptFiles.run), { ...claim, program });
    } catch (error) {
      await tree.end();
      throw error;
    }
  }

  private toldBecause(): ForcedEnding {
    return existsSync(join(this.folder, attemptFiles.cancel)) ? 'cancelled' : 'told_to_end';
  }

  /** Writes the result last, then gives the folder its final name. */
  private async record(result: Parameters<typeof writeResult>[1]): Promise<void> {
    rmSync(join(this.folder, attemptFiles.reserve), { force: true });
    this.tidy();
    // Analysis reads it. What is started again or was cancelled nobody reads, and there may be no time left.
    const { infrastructure, kind } = result.ending;
    if (!infrastructure && kind !== 'cancelled') await this.keepOutputs();
    for (let tries = 1; ; tries += 1) {
      try {
        writeResult(this.folder, result);
        publish(this.place);
        return;
      } catch (error) {
        // An executor that saw the result has published the folder, or has taken the attempt away.
        if (readResult(this.place.published) !== undefined) return;
        if (tries >= resultTries) throw error;
        await sleep(1_000);
      }
    }
  }

  /** What a slow disk has not kept by then it keeps a little later. */
  private async keepOutputs(): Promise<void> {
    const until = performance.now() + keepPatienceMs;
    const onTrouble = (path: string, error: unknown): void => {
      console.error(`${path} may not survive the loss of power:`, error);
    };
    const kept = keepFolder(this.folder, () => this.told || performance.now() > until, onTrouble);
    await Promise.race([kept, sleep(keepPatienceMs, undefined, { ref: false })]);
  }

  /** What cannot be tidied stays: a program can lock its own folders, and that must not cost its result. */
  private tidy(): void {
    try {
      removeInputs(this.folder);
      const closed = this.options.shareWithGroup ? shareWithGroup(this.folder) : [];
      for (const path of closed) console.error(`${path} stays closed to the group`);
      rmSync(join(this.folder, attemptFiles.temporary), { recursive: true, force: true });
    } catch (error) {
      console.error(error);
    }
  }
}

const startProgram = (executable: string, rest: readonly string[], cwd: string, log: number): ChildProcess | Error => {
  try {
    return spawn(executable, rest, { cwd, detached: true, shell: false, stdio: ['ignore', log, log] });
  } catch (error) {
    // Some refusals come as exceptions (a NUL in an argument, E2BIG), the others as an event.
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
    child.once('exit', (exitCode, signal) => {
      resolve({ exitCode, signal });
    });
  });
