import type { EventType, SessionEvent } from '@fleet/contracts/sessions';
import type { ApiPlanning } from './decide-response';
import type { RequestAdvice } from '../session/advice-of-request';

/** The node of the agent's graph (PERCEIVE, PLAN, BUILD, …) for each event type. */
const nodeOf: Partial<Readonly<Record<EventType, string>>> = {
  cycle_start: 'PERCEIVE',
  state_detected: 'PERCEIVE',
  metrics_extracted: 'PERCEIVE',
  metrics_trend: 'PERCEIVE',
  sanity_check: 'PERCEIVE',
  error: 'PERCEIVE',
  program_selected: 'PLAN',
  thought: 'PLAN',
  directive_applied: 'PLAN',
  user_request_invalid: 'PLAN',
  program_modified: 'BUILD',
  file_scored: 'BUILD',
  files_selected: 'BUILD',
  command_built: 'BUILD',
  warning: 'VALIDATE',
  stop_decision: 'OUTPUT',
};

/** Clients search for this text in a log after a crash (phenix-agent.md#zombie-states). */
const zombiePrefix = 'PERCEIVE: ZOMBIE STATE — ';

const lineOf = ({ type, message, data }: SessionEvent): string =>
  data['zombie'] === true ? `${zombiePrefix}${message}` : `${nodeOf[type] ?? 'DEBUG'}: ${message}`;

interface ReadParts {
  /** Unknown fields. */
  readonly ignored: readonly string[];
  readonly advice?: RequestAdvice;
  readonly planning: ApiPlanning;
}

const adviceLines = ({ reading: { understood, notFollowed }, isFollowed }: RequestAdvice): readonly string[] => [
  ...understood.map(
    ({ says }) => `PERCEIVE: advice${isFollowed ? '' : ' (not followed, the request has directives)'}: ${says}`,
  ),
  ...notFollowed.map(({ words, why }) => `PERCEIVE: advice not followed: "${words}", ${why}`),
];

/** Why no model was asked; an unsuccessful query is reported by an event. */
const planningLines = ({ failed, why }: ApiPlanning): readonly string[] =>
  failed === null && why !== null ? [`PLAN: ${why}`] : [];

/** `debug.log`: ignored fields, the reading of the advice, why no model was asked, then the steps of the decision, one line each. */
export const debugLines = (
  { ignored, advice, planning }: ReadParts,
  events: readonly SessionEvent[],
): readonly string[] => [
  ...ignored.map((field) => `REQUEST: ignored field ${field}`),
  ...(advice === undefined ? [] : adviceLines(advice)),
  ...planningLines(planning),
  ...events.map(lineOf),
];
