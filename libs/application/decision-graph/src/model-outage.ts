import type { ModelFailureClass } from '@fleet/contracts/models';
import type { Session } from '@fleet/contracts/sessions';
import type { TurnOutcome } from '@fleet/model-turns';

/** Of a target that answers later what it does not answer now. */
const passing: readonly (ModelFailureClass | 'answered')[] = [
  'rate_limit',
  'quota',
  'auth',
  'unavailable',
  'timeout',
  'resting',
  'aborted',
];

/** Nobody could be asked who would have answered: bad answers are none, and a budget that is used up does not come back. */
const isOutage = (outcome: TurnOutcome<unknown>): boolean => {
  if ('value' in outcome || outcome.code === 'model_invalid') return false;
  const last = [...new Map(outcome.attempts.map(({ target, result }) => [target, result])).values()];
  return !last.includes('budget') && last.some((result) => passing.includes(result));
};

/** Whether the decision is made later, with a model, as the submitter wants it. */
export const waitsForModel = ({ request }: Pick<Session, 'request'>, outcome: TurnOutcome<unknown>): boolean =>
  request.settings.model_outage === 'wait' && isOutage(outcome);
