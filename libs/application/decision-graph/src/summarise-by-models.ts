import { logWorkOf } from '@fleet/contracts/models';
import type { KeptLogSummary, LogSummaryPart } from '@fleet/contracts/results';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import { logContextOf, logTurn, type LogExcerpt } from '@fleet/model-turns';
import { mostWhy, watchedTurn, type Planner } from './watched-turn';

/**
 * What a model says that the log of a finished cycle says, each of its numbers looked up; or why none has said it. It changes nothing of the
 * session, and no step waits for it.
 * @param number the number of the summary of the cycle's log it is, from 1: asked and paid once
 * @throws Fault (transient) `decision.handed_back`, or where replies cannot be read or the ledger cannot be kept
 */
export const summariseByModels =
  (planner: Planner) =>
  async (
    session: Session,
    record: CycleRecord,
    number: number,
    log: LogExcerpt,
  ): Promise<Omit<KeptLogSummary, 'writtenAt'>> => {
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
