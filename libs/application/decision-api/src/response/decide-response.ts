import type { FieldProblem } from '@fleet/contracts/faults';
import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { TurnFailureCode } from '@fleet/contracts/models';
import type {
  DecisionRecord,
  FileUse,
  JsonValue,
  NotOffered,
  SessionEvent,
  StopReason,
} from '@fleet/contracts/sessions';
import type { apiVersion } from '../request/decide-request';

/**
 * Why a session stops (phenix-agent.md#stop-reasons-of-a-response): `converged` only for reached quality, `red_flag` for critical problems,
 * `max_cycles`, and `error`. Other ends have their own words; `metadata.stop_code` is more specific.
 */
export const apiStopReasons = [
  'converged',
  'goal_reached',
  'plateau',
  'refinement_limit',
  'nothing_left',
  'unsatisfactory',
  'hopeless',
  'red_flag',
  'max_cycles',
  'error',
] as const;
export type ApiStopReason = (typeof apiStopReasons)[number];

export interface ApiDecision {
  /** PHENIX's own name, or `STOP`. */
  readonly program: string;
  /** For people and for clients that split it like a shell. */
  readonly command: string;
  /** The same command as an array; empty for a stop. */
  readonly argv: readonly string[];
  readonly reasoning: string;
  readonly strategy: DecisionRecord['strategy'];
  readonly confidence: DecisionRecord['confidence'] | 'unknown';
}

interface ApiWords {
  readonly words: string;
  readonly why: string;
}

interface ApiAdvice {
  /** False: the request has directives, which are used instead. */
  readonly followed: boolean;
  /** Each directive with the words from which it was read, and its effect. */
  readonly understood: readonly { readonly field: string; readonly words: string; readonly says: string }[];
  readonly conflicts: readonly string[];
  readonly not_followed: readonly ApiWords[];
  /** Parts that were not read. */
  readonly removed: readonly ApiWords[];
}

/** Which model or rules decided. */
export interface ApiPlanning {
  readonly decided_by: 'rules' | 'model';
  /** As in the request. */
  readonly provider: string;
  /** The model that chose, and the site's name for its target; null if the rules chose. */
  readonly target: string | null;
  readonly model: string | null;
  /** Number of requests to models. */
  readonly requests: number;
  /** Why no model gave a usable answer, if any was asked. */
  readonly failed: TurnFailureCode | null;
  /** The same in a sentence, or why none was asked; null if a model chose, or there was no choice. */
  readonly why: string | null;
}

/** The response to a v2 request (phenix-agent.md#requests-and-responses). */
export interface DecideResponse {
  readonly api_version: typeof apiVersion;
  readonly server_version: string;
  readonly decision: ApiDecision;
  readonly stop: boolean;
  readonly stop_reason: ApiStopReason | null;
  /** The critical problem that ended the session, for the client to show. */
  readonly abort_message: string | null;
  readonly metadata: {
    readonly experiment_type: string | null;
    readonly workflow_state: string | null;
    /** The structured directives that the decision followed. */
    readonly directives: SessionDirectives;
    /** The reading of `user_advice`; null if it is empty. */
    readonly advice: ApiAdvice | null;
    readonly stop_code: StopReason | null;
    readonly planning: ApiPlanning;
    readonly valid_programs: readonly string[];
    readonly not_offered: readonly NotOffered[];
    /** How the session uses each submitted file. */
    readonly files: readonly FileUse[];
    readonly warnings: readonly string[];
    /** Each `code: message suggestion`. */
    readonly red_flags: readonly string[];
  };
  readonly debug: { readonly log: readonly string[]; readonly timing_ms: number };
  readonly events: readonly SessionEvent[];
  /** The events again as one JSON text, for clients that handle only text (phenix-agent.md#events). */
  readonly events_as_simple_string: string;
  /** Why the request is invalid; null if it is valid. */
  readonly error: string | null;
  /** The same field by field; empty if it is valid. */
  readonly problems: readonly FieldProblem[];
}

/** The response as a JSON document. */
export const asDocument = (response: DecideResponse): JsonValue => response as unknown as JsonValue;
