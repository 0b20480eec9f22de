import type { PlanningRecord, SessionEvent } from '@fleet/contracts/sessions';
import { STOP } from '@fleet/workflow';
import type { DecideSettings } from '../request/read-request';
import type { Outcome } from './build-response';
import type { ApiPlanning } from './decide-response';

type Wanted = Pick<DecideSettings, 'provider' | 'use_rules_only'>;

/** For STOP only the event contains the name of the model. */
const endOf = (events: readonly SessionEvent[]): Partial<PlanningRecord> => {
  const chosen = events.find(({ type, data }) => type === 'program_selected' && data['program'] === STOP);
  const { target, model } = chosen?.data ?? {};
  return typeof target === 'string' && typeof model === 'string' ? { target, model } : {};
};

/** Why no model was asked. */
const unaskedWhy = ({ provider, use_rules_only: rulesOnly }: Wanted, providers: readonly string[]): string | null => {
  if (rulesOnly) return 'settings.use_rules_only is true: the rules decided alone';
  if (providers.includes(provider)) return null;
  const known = providers.length === 0 ? 'none is' : `configured: ${providers.join(', ')}`;
  return `settings.provider is "${provider.slice(0, 100)}", and no model is configured here for it (${known}): the rules decided`;
};

/** Which model or rules decided, and why no model did although one was requested. */
export const planningOf = (settings: Wanted, outcome: Outcome, providers: readonly string[]): ApiPlanning => {
  const planning: Partial<PlanningRecord> =
    'stop' in outcome ? endOf(outcome.events) : (outcome.decision.planning ?? {});
  const { target = null, model = null, requests = 0, failed = null } = planning;
  return {
    decided_by: model === null ? 'rules' : 'model',
    provider: settings.provider,
    target,
    model,
    requests,
    failed,
    why: planning.why ?? unaskedWhy(settings, providers),
  };
};
