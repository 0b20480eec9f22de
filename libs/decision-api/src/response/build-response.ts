import {
  statusOfStopReason,
  type DecisionRecord,
  type Fault,
  type SessionEvent,
  type SessionStop,
  type StopReason,
} from '@fleet/contracts';
import type { DescribedSession, Menu } from '@fleet/workflow';
import { sanityIssues, type SanityIssue } from '@fleet/workflow';
import { apiVersion } from '../request/decide-request';
import { serverVersion } from '../server-version';
import { printCommand } from '../session/split-command';
import { debugLines } from './debug-lines';
import type { ApiDecision, ApiStopReason, DecideResponse } from './decide-response';

/** The session as the rules saw it; absent when it contradicts itself. */
export interface Picture {
  readonly described: DescribedSession;
  readonly menu: Menu;
}

interface Told {
  readonly events: readonly SessionEvent[];
  readonly situation?: Picture;
}

/** What a decision came to; the graph's own words. */
export type Outcome = Told &
  ({ readonly decision: Omit<DecisionRecord, 'decidedAt'> } | { readonly stop: SessionStop });

export interface ResponseParts {
  readonly outcome: Outcome;
  readonly picture?: Picture;
  readonly ignored: readonly string[];
  readonly warnings: readonly string[];
  readonly durationMs: number;
}

/** A session that ended with a result converged; one that did not has met something critical. */
const apiReasonOf = (reason: StopReason): ApiStopReason => {
  if (reason === 'max_cycles') return 'max_cycles';
  if (reason === 'error' || reason === 'infrastructure' || reason === 'cancelled') return 'error';
  return statusOfStopReason[reason] === 'completed' ? 'converged' : 'red_flag';
};

const stopDecision = (reasoning: string, confidence: ApiDecision['confidence']): ApiDecision => ({
  program: 'STOP',
  command: 'STOP',
  argv: [],
  reasoning,
  strategy: {},
  confidence,
});

type Metadata = DecideResponse['metadata'];

const tell = ({ id, message, suggestion }: SanityIssue): string => `${id}: ${message} ${suggestion}`;

const flagsOf = ({ picture, outcome, warnings }: ResponseParts): Pick<Metadata, 'warnings' | 'red_flags'> => {
  if (picture === undefined) return { warnings, red_flags: 'stop' in outcome ? [outcome.stop.detail] : [] };
  const issues = sanityIssues(picture.described);
  const told = (wanted: SanityIssue['level']): readonly string[] =>
    issues.filter(({ level }) => level === wanted).map(tell);
  return { warnings: [...warnings, ...told('warning')], red_flags: told('critical') };
};

const menuOf = (
  picture: Picture | undefined,
): Pick<Metadata, 'experiment_type' | 'workflow_state' | 'valid_programs' | 'not_offered'> =>
  picture === undefined
    ? { experiment_type: null, workflow_state: null, valid_programs: [], not_offered: [] }
    : {
        experiment_type: picture.described.experiment,
        workflow_state: picture.menu.state,
        valid_programs: picture.menu.validPrograms,
        not_offered: picture.menu.refused.map(({ program, why }) => ({ program, why })),
      };

const metadataOf = (parts: ResponseParts): Metadata => ({
  ...menuOf(parts.picture),
  stop_code: 'stop' in parts.outcome ? parts.outcome.stop.reason : null,
  ...flagsOf(parts),
});

/** The answer to a request that could be read. */
export const buildResponse = (parts: ResponseParts): DecideResponse => {
  const { outcome } = parts;
  const stop = 'stop' in outcome ? outcome.stop : undefined;
  const stopReason = stop === undefined ? null : apiReasonOf(stop.reason);
  return {
    api_version: apiVersion,
    server_version: serverVersion,
    decision:
      'stop' in outcome
        ? stopDecision(outcome.stop.detail, 'high')
        : {
            program: outcome.decision.program,
            command: printCommand(outcome.decision.argv),
            argv: outcome.decision.argv,
            reasoning: outcome.decision.reasoning,
            strategy: outcome.decision.strategy,
            confidence: outcome.decision.confidence,
          },
    stop: stop !== undefined,
    stop_reason: stopReason,
    abort_message: stopReason === 'red_flag' ? (stop?.detail ?? null) : null,
    metadata: metadataOf(parts),
    debug: { log: debugLines(parts.ignored, outcome.events), timing_ms: Math.round(parts.durationMs) },
    events: outcome.events,
    error: null,
    problems: [],
  };
};

/** The answer to a request that could not be read. */
export const buildErrorResponse = (fault: Fault): DecideResponse => ({
  api_version: apiVersion,
  server_version: serverVersion,
  decision: stopDecision(fault.message, 'unknown'),
  stop: true,
  stop_reason: 'error',
  abort_message: null,
  metadata: { ...menuOf(undefined), stop_code: 'error', warnings: [], red_flags: [] },
  debug: { log: [], timing_ms: 0 },
  events: [],
  error: fault.message,
  problems: fault.problems,
});
