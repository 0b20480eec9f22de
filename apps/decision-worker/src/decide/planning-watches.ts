import type { Session } from '@fleet/contracts';
import type { PlanningWatch } from '@fleet/decision-graph';
import type { SessionRecords, StepSchedule } from '@fleet/ports';
import { wantedMs } from '@fleet/steps';

/** The longest that models are asked for one decision, with all tries: less than a worker may take for a step (FLEET_STEP_AGE_LIMIT_S). */
const longestTurnMs = 240_000;
/** Nobody else begins this step meanwhile. */
const dueMs = longestTurnMs + 30_000;

interface WatchPorts {
  readonly records: Pick<SessionRecords, 'load'>;
  readonly schedule: Pick<StepSchedule, 'postpone'>;
  /** Hears of records that cannot be read meanwhile: the watch goes on. */
  readonly onTrouble: (error: unknown) => void;
}

/** Looks after sessions while their models are asked: a call ends when it is no longer wanted, and when the process is told to end. */
export class PlanningWatches {
  private readonly ending = new AbortController();

  constructor(private readonly ports: WatchPorts) {}

  /** @throws Fault (transient) where the store cannot be reached */
  async open(session: Session): Promise<PlanningWatch> {
    await this.ports.schedule.postpone(session.id, session.version, dueMs, false);
    const own = new AbortController();
    const timer = setInterval(() => {
      this.look(session, own).catch(this.ports.onTrouble);
    }, wantedMs);
    return {
      signal: AbortSignal.any([own.signal, this.ending.signal, AbortSignal.timeout(longestTurnMs)]),
      isHandedBack: () => this.ending.signal.aborted,
      close: () => {
        clearInterval(timer);
      },
    };
  }

  /** One phase before the worker drains: what it waits for ends at once, and the steps are taken again by others. */
  onModuleDestroy(): void {
    this.ending.abort();
  }

  private async look({ id, version, guidance }: Session, own: AbortController): Promise<void> {
    const now = await this.ports.records.load(id);
    if (now?.version !== version || now.guidance?.revision !== guidance?.revision) own.abort();
  }
}
