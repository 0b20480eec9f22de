import type { ModelFailureClass } from '@fleet/contracts/models';
import type { Session } from '@fleet/contracts/sessions';
import type { TurnOutcome } from '@fleet/model-turns';

/** Failures after which a target may answer later. */
const passing: readonly (ModelFailureClass | 'answered')[] = [
  'rate_limit',
  'quota',
  'auth',
  'unavailable',
  'timeout',
  'resting',
  'aborted',
];

/** Whether no model could answer. A bad answer is not an outage, and a used-up budget does not recover. */
const isOutage = (outcome: TurnOutcome<unknown>): boolean => {
  if ('value' in outcome || outcome.code === 'model_invalid') return false;
  const last = [...new Map(outcome.attempts.map(({ target, result }) => [target, result])).values()];
  return !last.includes('budget') && last.some((result) => passing.includes(result));
};

/** Whether the decision is postponed until a model answers, as the submitter requested. */
export const waitsForModel = ({ request }: Pick<Session, 'request'>, outcome: TurnOutcome<unknown>): boolean =>
  request.settings.model_outage === 'wait' && isOutage(outcome);
