import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  closeAttempt,
  describeCancel,
  describeLoss,
  isAlive,
  isThere,
  isUnknownHost,
  placeOf,
  ProcessTree,
  publish,
  readResult,
  readRun,
  readSpec,
  type AttemptPlace,
  type HostIdentity,
  type ResultRecord,
  type RunRecord,
} from '@fleet/attempt-runner';
import { attemptFiles } from '@fleet/contracts';
import type { RunPlace } from '@fleet/ports';

/** What the files and the process table say about a run. */
export type Sight =
  /** Nobody has claimed it. */
  | { readonly state: 'free' }
  | { readonly state: 'running'; readonly run: RunRecord }
  | { readonly state: 'ended'; readonly run: RunRecord | undefined; readonly result: ResultRecord };

/**
 * A supervisor of another computer (or container) renews its sign of life each second; after this many milliseconds
 * without one it is dead. Far longer than a shared file system keeps file times back.
 */
const foreignPatienceMs = 60_000;
/**
 * One whose sign is that old by the clocks is looked at for this long nevertheless, in milliseconds: clocks of two
 * computers may differ, and one may be put forward under us.
 */
const leastPatienceMs = 10_000;

/** Decides what became of a run, and closes it where nobody else can: any executor may do so at any time, any number of times. */
export class AttemptJudge {
  /** The last sign of life of foreign supervisors by their folders, and when we first saw that one. */
  private readonly signs = new Map<string, { readonly sign: number; readonly seenAt: number }>();

  /** @param elapsed milliseconds of a clock that nobody can put */
  constructor(
    private readonly host: HostIdentity,
    private readonly now: () => number,
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  async look(run: Pick<RunPlace, 'name' | 'sessionFolder' | 'attemptFolder'>): Promise<Sight> {
    const place = placeOf(run);
    if (isThere(place.published)) return this.lookIn(place.published, place, run.name);
    const sight = await this.lookIn(place.running, place, run.name);
    // It may have been published between the two looks.
    return sight.state === 'free' && isThere(place.published) ? this.lookIn(place.published, place, run.name) : sight;
  }

  /** True when the supervisor of a run lives, as far as can be told from here. */
  isSupervised(folder: string, run: RunRecord): boolean {
    if (run.claimedBy === 'cancel') return false;
    if (this.isHere(run)) return isAlive(run.supervisor);
    return this.renewsItsSign(folder);
  }

  isHere({ host }: RunRecord): boolean {
    return host.bootId === this.host.bootId && host.pidNamespace === this.host.pidNamespace;
  }

  /** Ends what is left of a run's processes, writes how it ended unless that is written already, publishes its folder. */
  async close(place: AttemptPlace, name: string, run: RunRecord, how: 'lost' | 'cancelled'): Promise<ResultRecord> {
    if (this.isHere(run) || isUnknownHost(run.host)) await new ProcessTree(name, run.program, undefined).end();
    const folder = isThere(place.published) ? place.published : place.running;
    this.signs.delete(folder);
    const program = readSpec(folder)?.spec.program ?? 'The program';
    const { startedAt } = run;
    return closeAttempt(
      place,
      { name, startedAt },
      how === 'lost' ? describeLoss(program) : describeCancel(program),
      this.now(),
    );
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
    const isOld = this.now() - sign > foreignPatienceMs;
    return now - known.seenAt < (isOld ? leastPatienceMs : foreignPatienceMs);
  }

  private async lookIn(folder: string, place: AttemptPlace, name: string): Promise<Sight> {
    const run = readRun(folder);
    const result = readResult(folder);
    if (result !== undefined) {
      this.signs.delete(folder);
      publish(place);
      return { state: 'ended', run, result };
    }
    if (run === undefined) return folder === place.published ? this.closeUnclaimed(place, name) : { state: 'free' };
    if (this.isSupervised(folder, run)) return { state: 'running', run };
    // The supervisor may have written the result and ended, or even published, since the first look.
    const late = readResult(folder) ?? readResult(place.published);
    if (late !== undefined) {
      publish(place);
      return { state: 'ended', run, result: late };
    }
    const cancelled = run.claimedBy === 'cancel' || isThere(join(folder, attemptFiles.cancel));
    return { state: 'ended', run, result: await this.close(place, name, run, cancelled ? 'cancelled' : 'lost') };
  }

  /** A published folder without records: somebody deleted them. Nothing can be known, so the attempt is lost. */
  private async closeUnclaimed(place: AttemptPlace, name: string): Promise<Sight> {
    const nobody: RunRecord = {
      schemaVersion: 1,
      claimedBy: 'cancel',
      name,
      specHash: '',
      host: this.host,
      supervisor: { pid: 0, startTime: 0 },
      startedAt: new Date(this.now()).toISOString(),
    };
    return { state: 'ended', run: undefined, result: await this.close(place, name, nobody, 'lost') };
  }
}

/** Undefined when there is no claim there any more. */
const lastSignOfLife = (folder: string): number | undefined =>
  statSync(join(folder, attemptFiles.run), { throwIfNoEntry: false })?.mtimeMs;
