import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '@fleet/contracts/sessions';
import type { PlanningWatch } from '@fleet/decision-graph';
import type { ModelLedger, ModelWork, SessionRecords, StepSchedule } from '@fleet/ports';
import { wantedMs } from '@fleet/steps';

/**
 * Time limit of the model calls for one decision, with all retries: shorter than the limit of a step
 * (FLEET_STEP_AGE_LIMIT_S, 300 s by default). If a call continues anyway, nothing is renewed, and other workers may
 * take the step.
 */
const longestTurnMs = 240_000;
/**
 * Deadline of the step, renewed with every check, so that no other worker begins it. When a worker dies, the sweeper
 * wakes its sessions soon.
 */
const dueMs = 30_000;
/** Interval of polls for work that another worker is doing. */
const retryDelayMs = 250;

interface WatchPorts {
  readonly records: Pick<SessionRecords, 'load'>;
  readonly schedule: Pick<StepSchedule, 'postpone'>;
  readonly ledger: Pick<ModelLedger, 'hold' | 'renew' | 'release'>;
  /** Called with errors of unreachable stores; the watch continues. */
  readonly onTrouble: (error: unknown) => void;
}

/** Watches one call for one work item. */
class Watch implements PlanningWatch {
  readonly signal: AbortSignal;
  private readonly own = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private holds: 'not_yet' | 'yes' | 'lost' = 'not_yet';

  constructor(
    private readonly ports: Pick<WatchPorts, 'ledger' | 'onTrouble'>,
    private readonly work: ModelWork,
    private readonly ending: AbortSignal,
    private readonly isWanted: () => Promise<boolean>,
  ) {
    this.signal = AbortSignal.any([this.own.signal, ending, AbortSignal.timeout(longestTurnMs)]);
    this.timer = setInterval(() => {
      this.look().catch(ports.onTrouble);
    }, wantedMs);
  }

  /** Waits until no other worker does the work, or its result is no longer needed. */
  async hold(): Promise<void> {
    while (!this.signal.aborted) {
      if (await this.ports.ledger.hold(this.work)) {
        this.holds = 'yes';
        return;
      }
      await sleep(retryDelayMs);
    }
  }

  isHandedBack(): boolean {
    return this.ending.aborted || this.holds === 'lost';
  }

  async close(isKept: boolean): Promise<void> {
    clearInterval(this.timer);
    // Other workers may call again only when this worker has recorded the outcome, or is gone: the record moves on
    // meanwhile.
    if (this.holds === 'yes' && (isKept || this.ending.aborted)) await this.ports.ledger.release(this.work);
  }

  private async look(): Promise<void> {
    if (this.signal.aborted) return;
    if (this.holds === 'yes' && !(await this.ports.ledger.renew(this.work))) this.holds = 'lost';
    if (!(await this.isWanted()) || this.holds === 'lost') this.own.abort();
  }
}

/**
 * Watches sessions during their model calls: a call is aborted when it is no longer needed, and when the process
 * receives a stop request.
 */
export class PlanningWatches {
  private readonly ending = new AbortController();

  constructor(private readonly ports: WatchPorts) {}

  /** For a step. @throws Fault (transient) if the store is unreachable */
  async open(session: Session, work: ModelWork): Promise<PlanningWatch> {
    const { records, schedule } = this.ports;
    const { id, version, guidance } = session;
    const putOff = () => schedule.postpone(id, version, dueMs, false);
    await putOff();
    return this.held(work, async () => {
      await putOff();
      const now = await records.load(id);
      return now?.version === version && now.guidance?.revision === guidance?.revision;
    });
  }

  /**
   * For work beside the steps, independent of the session's state.
   * @param isWanted whether a caller still waits for it
   * @throws Fault (transient) if the store is unreachable
   */
  openBeside(work: ModelWork, isWanted = (): Promise<boolean> => Promise.resolve(true)): Promise<PlanningWatch> {
    return this.held(work, isWanted);
  }

  /** One phase before the worker drains: its calls are aborted, and other workers repeat the steps. */
  onModuleDestroy(): void {
    this.ending.abort();
  }

  private async held(work: ModelWork, isWanted: () => Promise<boolean>): Promise<PlanningWatch> {
    const watch = new Watch(this.ports, work, this.ending.signal, isWanted);
    try {
      await watch.hold();
    } catch (error) {
      await watch.close(false);
      throw error;
    }
    return watch;
  }
}
