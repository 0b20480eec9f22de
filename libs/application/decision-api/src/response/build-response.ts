import type { Fault } from '@fleet/contracts/faults';
import { releaseVersion } from '@fleet/contracts/service';
import type { DecisionRecord, FileUse, SessionEvent, SessionStop, StopReason } from '@fleet/contracts/sessions';
import { sanityIssues, type DescribedSession, type Menu, type SanityIssue } from '@fleet/workflow';
import { apiVersion } from '../request/read-request';
import type { RequestAdvice } from '../session/advice-of-request';
import { printCommand } from '../session/split-command';
import { debugLines } from './debug-lines';
import type { ApiDecision, ApiPlanning, ApiStopReason, DecideResponse } from './decide-response';

/** The session as the rules saw it; absent when it contradicts itself. */
export interface Assessment {
  readonly described: DescribedSession;
  readonly menu: Menu;
}

interface OutcomeBase {
  readonly events: readonly SessionEvent[];
  readonly assessment?: Assessment;
}

/** The outcome of a decision, as the graph returns it. */
export type Outcome = OutcomeBase &
  ({ readonly decision: Omit<DecisionRecord, 'decidedAt'> } | { readonly stop: SessionStop });

export interface ResponseParts {
  readonly outcome: Outcome;
  readonly assessment?: Assessment;
  /** The reading of the user's advice. */
  readonly advice?: RequestAdvice;
  readonly ignored: readonly string[];
  readonly warnings: readonly string[];
  readonly planning: ApiPlanning;
  readonly fileUses: readonly FileUse[];
  /** Slots of the decided program that take one file, but whose content may be in several. */
  readonly joinedSlots: ReadonlySet<string>;
  readonly durationMs: number;
}

const apiReasons: Readonly<Record<StopReason, ApiStopReason>> = {
  converged: 'converged',
  goal_reached: 'goal_reached',
  plateau: 'plateau',
  refinement_limit: 'refinement_limit',
  nothing_left: 'nothing_left',
  unsatisfactory: 'unsatisfactory',
  hopeless: 'hopeless',
  no_program: 'red_flag',
  program_failed: 'red_flag',
  red_flag: 'red_flag',
  max_cycles: 'max_cycles',
  infrastructure: 'error',
  error: 'error',
  cancelled: 'error',
  cycles_removed: 'error',
};

/** Stop reasons for critical problems: of the model, the files or the programs. */
const critical: ReadonlySet<ApiStopReason> = new Set<ApiStopReason>(['red_flag', 'hopeless', 'unsatisfactory']);

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

/** The stop itself is a flag if it reports a critical problem that no sanity issue has reported. */
const flagsOfStop = ({ outcome }: ResponseParts, reportedFlags: readonly string[]): readonly string[] => {
  if (!('stop' in outcome) || !critical.has(apiReasons[outcome.stop.reason])) return [];
  const { reason, detail } = outcome.stop;
  return reportedFlags.some((flag) => flag.includes(detail)) ? [] : [`${reason}: ${detail}`];
};

/** A client runs the command unchanged: PHENIX uses the last of several values, and the files are not joined. */
const piecesOf = ({ outcome, joinedSlots }: ResponseParts): readonly string[] => {
  if (!('decision' in outcome)) return [];
  const { inputs, program } = outcome.decision;
  return [...joinedSlots].flatMap((slot) => {
    const files = inputs.filter((input) => input.slot === slot).map(({ path }) => path);
    if (files.length < 2) return [];
    return [`${program} takes one file as ${slot}: join ${files.join(', ')} into one before it runs.`];
  });
};

const flagsOf = (parts: ResponseParts): Pick<Metadata, 'warnings' | 'red_flags'> => {
  const { assessment, warnings } = parts;
  const issues = assessment === undefined ? [] : sanityIssues(assessment.described);
  const messagesOf = (wanted: SanityIssue['level']): readonly string[] =>
    issues.filter(({ level }) => level === wanted).map(tell);
  const lost = assessment?.described.lostProducts.map(({ message }) => message) ?? [];
  const flags = messagesOf('critical');
  return {
    warnings: [...warnings, ...piecesOf(parts), ...lost, ...messagesOf('warning')],
    red_flags: [...flags, ...flagsOfStop(parts, flags)],
  };
};

const menuOf = (
  assessment: Assessment | undefined,
): Pick<Metadata, 'experiment_type' | 'workflow_state' | 'valid_programs' | 'not_offered'> =>
  assessment === undefined
    ? { experiment_type: null, workflow_state: null, valid_programs: [], not_offered: [] }
    : {
        experiment_type: assessment.described.experiment,
        workflow_state: assessment.menu.state,
        valid_programs: assessment.menu.validPrograms,
        not_offered: assessment.menu.refused.map(({ program, why }) => ({ program, why })),
      };

const adviceOf = (advice: RequestAdvice | undefined): Metadata['advice'] => {
  if (advice === undefined) return null;
  const { understood, conflicts, notFollowed, removed } = advice.reading;
  return {
    followed: advice.isFollowed,
    understood: understood.map(({ field, words, says }) => ({ field, words, says })),
    conflicts,
    not_followed: notFollowed,
    removed,
  };
};

const metadataOf = (parts: ResponseParts): Metadata => ({
  ...menuOf(parts.assessment),
  directives: parts.assessment?.described.directives ?? {},
  advice: adviceOf(parts.advice),
  stop_code: 'stop' in parts.outcome ? parts.outcome.stop.reason : null,
  planning: parts.planning,
  files: parts.fileUses,
  ...flagsOf(parts),
});

/** The response to a valid request. */
export const buildResponse = (parts: ResponseParts): DecideResponse => {
  const { outcome } = parts;
  const stop = 'stop' in outcome ? outcome.stop : undefined;
  const stopReason = stop === undefined ? null : apiReasons[stop.reason];
  return {
    api_version: apiVersion,
    server_version: releaseVersion,
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
    abort_message: stop !== undefined && critical.has(apiReasons[stop.reason]) ? stop.detail : null,
    metadata: metadataOf(parts),
    debug: { log: debugLines(parts, outcome.events), timing_ms: Math.round(parts.durationMs) },
    events: outcome.events,
    events_as_simple_string: JSON.stringify(outcome.events),
    error: null,
    problems: [],
  };
};

/** The planning of an invalid request. */
const noPlanning: ApiPlanning = {
  decided_by: 'rules',
  provider: '',
  target: null,
  model: null,
  requests: 0,
  failed: null,
  why: null,
};

/** The response to an invalid request. */
export const buildErrorResponse = (fault: Fault): DecideResponse => ({
  api_version: apiVersion,
  server_version: releaseVersion,
  decision: stopDecision(fault.message, 'unknown'),
  stop: true,
  stop_reason: 'error',
  abort_message: null,
  metadata: {
    ...menuOf(undefined),
    directives: {},
    advice: null,
    stop_code: 'error',
    planning: noPlanning,
    files: [],
    warnings: [],
    red_flags: [],
  },
  debug: { log: [], timing_ms: 0 },
  events: [],
  events_as_simple_string: '[]',
  error: fault.message,
  problems: fault.problems,
});
