import {
  closeAttempt,
  describeCancel,
  describeLoss,
  folderOf,
  hasOwnFile,
  isAlive,
  isBelievable,
  isOfRun,
  isSealedResult,
  isUnknownHost,
  lastSignOfLife,
  foldersOf,
  ProcessTree,
  publish,
  readResult,
  readRun,
  readSpec,
  SeenClaims,
  unlockOwnFolder,
  whatIs,
  type AttemptFolders,
  type HostIdentity,
  type ResultRecord,
  type RunRecord,
} from '@fleet/attempt-runner';
import { errnoOf } from '@fleet/contracts/faults';
import { attemptFiles } from '@fleet/contracts/runs';
import type { RunLocation } from '@fleet/ports';

/** State of a run according to its files and the process table. */
export type Sight =
  /** Not claimed. */
  | { readonly state: 'free' }
  | { readonly state: 'running'; readonly run: RunRecord }
  | { readonly state: 'ended'; readonly run: RunRecord | undefined; readonly result: ResultRecord };

/**
 * A supervisor on another computer (or container) renews its heartbeat each second. After this many milliseconds
 * without one it counts as dead. Far longer than the caching of file times on a shared file system.
 */
const foreignTimeoutMs = 60_000;
/**
 * A heartbeat that looks old is still watched for this long, in milliseconds: clocks of two computers may differ, and a
 * clock may be set forward.
 */
const minTimeoutMs = 10_000;

/**
 * Decides the outcome of a run, and closes it if no supervisor can. Any executor may call it at any time, any number of
 * times.
 */
export class AttemptJudge {
  /** The last heartbeat of supervisors elsewhere by their folders, and when this process first saw it. */
  private readonly signs = new Map<string, { readonly sign: number; readonly seenAt: number }>();
  private readonly claims = new SeenClaims();

  /** @param elapsed milliseconds of a monotonic clock */
  constructor(
    private readonly host: HostIdentity,
    private readonly now: () => number,
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  async look(run: Pick<RunLocation, 'name' | 'sessionFolder' | 'attemptFolder'>): Promise<Sight> {
    const folders = foldersOf(run);
    try {
      return await this.lookAt(folders, run.name);
    } catch (error) {
      if (errnoOf(error) !== 'EACCES') throw error;
      // A program can lock its own folders. It runs as our user, so they can be unlocked.
      for (const folder of [folders.running, folders.published]) unlockOwnFolder(folder);
      return this.lookAt(folders, run.name);
    }
  }

  /** Whether the supervisor of a run is alive, as far as this computer can tell. */
  isSupervised(folder: string, run: RunRecord, name: string): boolean {
    if (run.claimedBy === 'cancel') return false;
    if (this.isHere(run)) return this.isSupervisor(run, name);
    return this.renewsItsSign(folder);
  }

  /** Whether the process in a claim is alive here and was started for that run: a claim can name any process. */
  isSupervisor(run: RunRecord, name: string): boolean {
    return this.isHere(run) && isAlive(run.supervisor) && isOfRun(run.supervisor, name);
  }

  isHere({ host }: RunRecord): boolean {
    return host.bootId === this.host.bootId && host.pidNamespace === this.host.pidNamespace;
  }

  /** Ends the remaining processes of a run, writes its ending unless one is written, and publishes its folder. */
  async close(folders: AttemptFolders, name: string, run: RunRecord, how: 'lost' | 'cancelled'): Promise<ResultRecord> {
    if (this.isHere(run) || isUnknownHost(run.host)) {
      await new ProcessTree(name, this.programOf(run, name), undefined).end();
    }
    const isGenuine = (result: ResultRecord): boolean => isBelievable(result, run);
    const folder = folderOf(folders, isGenuine);
    this.forget(folders);
    const program = readSpec(folder)?.spec.program ?? 'The program';
    const { startedAt } = run;
    return closeAttempt(
      folders,
      { name, startedAt },
      how === 'lost' ? describeLoss(program) : describeCancel(program),
      this.now(),
      isGenuine,
    );
  }

  /** The program in a claim if it provably belongs to the run; processes with the run's mark are found without it. */
  private programOf({ program }: RunRecord, name: string): RunRecord['program'] {
    return program !== undefined && isOfRun(program, name) ? program : undefined;
  }

  private forget(folders: AttemptFolders): void {
    this.signs.delete(folders.running);
    this.signs.delete(folders.published);
    this.claims.forget(folders.running);
  }

  private renewsItsSign(folder: string): boolean {
    const sign = lastSignOfLife(folder);
    if (sign === undefined) return false;
    const now = this.elapsed();
    const known = this.signs.get(folder);
    if (known?.sign !== sign) {
      this.signs.set(folder, { sign, seenAt: now });
      return true;
    }
    const isOld = this.now() - sign > foreignTimeoutMs;
    return now - known.seenAt < (isOld ? minTimeoutMs : foreignTimeoutMs);
  }

  private async lookAt(folders: AttemptFolders, name: string): Promise<Sight> {
    const early = this.ended(folders.published, folders, name);
    if (early !== undefined) return early;
    const sight = await this.lookAtRunning(folders, name);
    if (sight !== undefined) return sight;
    // It may have been published between the two reads.
    const late = this.ended(folders.published, folders, name);
    if (late !== undefined) return late;
    const claim = this.claimOf(folders.published, folders);
    if (claim !== undefined) return this.judgeClaim(folders.published, folders, name, claim);
    return whatIs(folders.published) === undefined ? { state: 'free' } : this.closeUnclaimed(folders, name);
  }

  /** Undefined if it is not claimed there. */
  private async lookAtRunning(folders: AttemptFolders, name: string): Promise<Sight | undefined> {
    if (whatIs(folders.running) !== 'folder') return undefined;
    const ended = this.ended(folders.running, folders, name);
    if (ended !== undefined) return ended;
    const claim = this.claimOf(folders.running, folders);
    return claim === undefined ? undefined : this.judgeClaim(folders.running, folders, name, claim);
  }

  private claimOf(folder: string, folders: AttemptFolders): RunRecord | undefined {
    return this.claims.of(folders.running, readRun(folder));
  }

  /**
   * A folder with a result that counts: from the supervisor that made the claim, or from an executor if no supervisor
   * is left. Other results are written by programs.
   */
  private ended(folder: string, folders: AttemptFolders, name: string): Sight | undefined {
    const result = whatIs(folder) === 'folder' ? readResult(folder) : undefined;
    if (result === undefined) return undefined;
    const run = this.claimOf(folder, folders);
    const counts =
      isSealedResult(result, run) ||
      (isBelievable(result, run) && (run?.key === undefined || !this.isSupervised(folder, run, name)));
    if (!counts) return undefined;
    this.forget(folders);
    this.publish(folders, run);
    return { state: 'ended', run, result };
  }

  /** A blocked name does not invalidate an ending: what blocks it is moved aside, or left to the administrator. */
  private publish(folders: AttemptFolders, run: RunRecord | undefined): void {
    try {
      publish(folders, (result) => isBelievable(result, run));
    } catch (error) {
      if (!['EACCES', 'EPERM', 'ENOTDIR', 'file.is_link'].includes(errnoOf(error) ?? '')) throw error;
      unlockOwnFolder(folders.running);
      publish(folders, (result) => isBelievable(result, run));
    }
  }

  /** A claimed run without a result that counts. */
  private async judgeClaim(folder: string, folders: AttemptFolders, name: string, run: RunRecord): Promise<Sight> {
    if (this.isSupervised(folder, run, name)) return { state: 'running', run };
    // The supervisor may have written the result and ended, or even published, since the first read.
    const late = this.ended(folder, folders, name) ?? this.ended(folders.published, folders, name);
    if (late !== undefined) return late;
    const cancelled = run.claimedBy === 'cancel' || hasOwnFile(folder, attemptFiles.cancel);
    return { state: 'ended', run, result: await this.close(folders, name, run, cancelled ? 'cancelled' : 'lost') };
  }

  /** A published folder without records: they were deleted. Nothing is known, so the attempt is lost. */
  private async closeUnclaimed(folders: AttemptFolders, name: string): Promise<Sight> {
    return { state: 'ended', run: undefined, result: await this.closeUnclaimedRun(folders, name, 'lost') };
  }

  /** Closes an unclaimed run. */
  closeUnclaimedRun(folders: AttemptFolders, name: string, how: 'lost' | 'cancelled'): Promise<ResultRecord> {
    const unclaimed: RunRecord = {
      schemaVersion: 1,
      claimedBy: 'cancel',
      name,
      specHash: '',
      host: this.host,
      supervisor: { pid: 0, startTime: 0 },
      startedAt: new Date(this.now()).toISOString(),
    };
    return this.close(folders, name, unclaimed, how);
  }
}
