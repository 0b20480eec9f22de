import { logWorkOf } from '@fleet/contracts/models';
import type { StoredLogSummary, LogSummaryPart } from '@fleet/contracts/results';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import { logContextOf, logTurn, type LogExcerpt } from '@fleet/model-turns';
import { mostWhy, watchedTurn, type Planner } from './watched-turn';

/**
 * A model's summary of the log of a finished cycle, with each number verified; or why there is none. It does not change the session, and no
 * step waits for it.
 * @param number 1-based number of this summary of the cycle's log: each is requested and paid once
 * @throws Fault (transient) `decision.handed_back`, or if replies or the ledger are unavailable
 */
export const summariseByModels =
  (planner: Planner) =>
  async (
    session: Session,
    record: CycleRecord,
    number: number,
    log: LogExcerpt,
  ): Promise<Omit<StoredLogSummary, 'writtenAt'>> => {
    const { cycle } = record;
    const context = logContextOf(record, log, planner.ruleBook);
    const work = logWorkOf(cycle, number);
    const outcome = await watchedTurn<readonly LogSummaryPart[]>(planner, session, work, (ways) =>
      logTurn(context, ways),
    );
    if (!('value' in outcome)) return { cycle, failed: outcome.code, why: outcome.why.slice(0, mostWhy) };
    const { value: parts, target, model, hash } = outcome;
    return { cycle, parts, target, model, hash };
  };
