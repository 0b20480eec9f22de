import { assessWorkOf } from '@fleet/contracts/models';
import type { KeptAssessment } from '@fleet/contracts/results';
import type { Session } from '@fleet/contracts/sessions';
import { assessContextOf, assessTurn } from '@fleet/model-turns';
import { mostWhy, watchedTurn, type Planner } from './watched-turn';

type Assessed = Omit<KeptAssessment, 'writtenAt'>;

/**
 * What a model says that a session is worth, each of its numbers looked up among the session's; or why none has said it. It changes nothing of
 * the session, and no step waits for it.
 * @param number the number of the assessment of the session it is, from 1: asked and paid once
 * @throws Fault (transient) `decision.handed_back`, or where replies cannot be read or the ledger cannot be kept
 */
export const assessByModels =
  (planner: Planner) =>
  async (session: Session, number: number): Promise<Assessed> => {
    const { status, version } = session;
    const context = assessContextOf(session, planner.ruleBook);
    const outcome = await watchedTurn(
      planner,
      session,
      assessWorkOf(number),
      (ways: Parameters<typeof assessTurn>[1]) => assessTurn(context, ways),
    );
    if (!('value' in outcome)) return { status, version, failed: outcome.code, why: outcome.why.slice(0, mostWhy) };
    const { value: parts, target, model, hash } = outcome;
    return { status, version, parts, target, model, hash };
  };
