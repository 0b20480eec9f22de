import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '@fleet/contracts/sessions';
import type { PlanningWatch } from '@fleet/decision-graph';
import type { ModelLedger, ModelWork, SessionRecords, StepSchedule } from '@fleet/ports';
import { wantedMs } from '@fleet/steps';

/**
 * The longest that models are asked for one decision, with all tries: less than a worker may take for a step (FLEET_STEP_AGE_LIMIT_S, 300 s
 * unless it is set). Should the call continue all the same, nothing is renewed any more, and others may take the step.
 */
const longestTurnMs = 240_000;
/** Nobody else begins this step meanwhile, which is said again with every look: when a worker dies, the sweeper wakes its sessions soon. */
const dueMs = 30_000;
/** How often a work that another worker does is asked for. */
const retryDelayMs = 250;

interface WatchPorts {
  readonly records: Pick<SessionRecords, 'load'>;
  readonly schedule: Pick<StepSchedule, 'postpone'>;
  readonly ledger: Pick<ModelLedger, 'hold' | 'renew' | 'release'>;
  /** Hears of stores that cannot be reached meanwhile: the watch continues. */
  readonly onTrouble: (error: unknown) => void;
}

/** One call for one work. */
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

  /** Until nobody else does the work, or nobody wants it any more. */
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
    // Others may ask again only when this worker has said its outcome, or has gone: the record moves on meanwhile.
    if (this.holds === 'yes' && (isKept || this.ending.aborted)) await this.ports.ledger.release(this.work);
  }

  private async look(): Promise<void> {
    if (this.signal.aborted) return;
    if (this.holds === 'yes' && !(await this.ports.ledger.renew(this.work))) this.holds = 'lost';
    if (!(await this.isWanted()) || this.holds === 'lost') this.own.abort();
  }
}

/** Looks after sessions while their models are asked: a call ends when it is no longer wanted, and when the process receives a stop request. */
export class PlanningWatches {
  private readonly ending = new AbortController();

  constructor(private readonly ports: WatchPorts) {}

  /** For a step. @throws Fault (transient) where the store cannot be reached */
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
   * For a question beside the steps, which continues whatever happens to the session.
   * @param isWanted whether somebody still waits for it
   * @throws Fault (transient) where the store cannot be reached
   */
  openBeside(work: ModelWork, isWanted = (): Promise<boolean> => Promise.resolve(true)): Promise<PlanningWatch> {
    return this.held(work, isWanted);
  }

  /** One phase before the worker drains: what it waits for ends at once, and the steps are taken again by others. */
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
