import { assessWorkOf } from '@fleet/contracts/models';
import type { StoredAssessment } from '@fleet/contracts/results';
import type { Session } from '@fleet/contracts/sessions';
import { assessContextOf, assessTurn } from '@fleet/model-turns';
import { mostWhy, watchedTurn, type Planner } from './watched-turn';

type Assessed = Omit<StoredAssessment, 'writtenAt'>;

/**
 * A model's assessment of a session, with each number verified against the session's data; or why there is none. It does not change the
 * session, and no step waits for it.
 * @param number 1-based number of this assessment of the session: each is requested and paid once
 * @throws Fault (transient) `decision.handed_back`, or if replies or the ledger are unavailable
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
