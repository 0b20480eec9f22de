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
 * Why a session stops (phenix-agent.md#stop-reasons-of-a-response): `converged` for quality that was reached alone, `red_flag` for what is critically
 * wrong, `max_cycles`, and `error`. What ends a session otherwise has its own word; `metadata.stop_code` says it more exactly.
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
  /** The same command, typed; empty for a stop. */
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
  /** False: the request has directives, and they hold instead. */
  readonly followed: boolean;
  /** Each directive with the words it was read from, and what it does. */
  readonly understood: readonly { readonly field: string; readonly words: string; readonly says: string }[];
  readonly conflicts: readonly string[];
  readonly not_followed: readonly ApiWords[];
  /** Not read at all. */
  readonly removed: readonly ApiWords[];
}

/** Who decided. */
export interface ApiPlanning {
  readonly decided_by: 'rules' | 'model';
  /** As the request has it. */
  readonly provider: string;
  /** Which model chose, and the site's name for where it is asked; null where the rules chose. */
  readonly target: string | null;
  readonly model: string | null;
  /** Requests that were made to models for it. */
  readonly requests: number;
  /** Why no model gave an answer that can be used, where they were asked. */
  readonly failed: TurnFailureCode | null;
  /** The same in a sentence, or why none was asked; null where a model chose, or there was nothing to choose. */
  readonly why: string | null;
}

/** The answer to a v2 request (phenix-agent.md#requests-and-responses). */
export interface DecideResponse {
  readonly api_version: typeof apiVersion;
  readonly server_version: string;
  readonly decision: ApiDecision;
  readonly stop: boolean;
  readonly stop_reason: ApiStopReason | null;
  /** What is critically wrong, where that ended it; what clients show. */
  readonly abort_message: string | null;
  readonly metadata: {
    readonly experiment_type: string | null;
    readonly workflow_state: string | null;
    /** What is asked for in structured form, as the decision followed it. */
    readonly directives: SessionDirectives;
    /** What was read of `user_advice`; null where it is empty. */
    readonly advice: ApiAdvice | null;
    readonly stop_code: StopReason | null;
    readonly planning: ApiPlanning;
    readonly valid_programs: readonly string[];
    readonly not_offered: readonly NotOffered[];
    /** The outcome of each submitted file. */
    readonly files: readonly FileUse[];
    readonly warnings: readonly string[];
    /** Each `code: message suggestion`. */
    readonly red_flags: readonly string[];
  };
  readonly debug: { readonly log: readonly string[]; readonly timing_ms: number };
  readonly events: readonly SessionEvent[];
  /** The events once more as one JSON text, for clients that carry texts alone (phenix-agent.md#events). */
  readonly events_as_simple_string: string;
  /** What was wrong with the request in words; null when nothing was. */
  readonly error: string | null;
  /** The same field by field; empty when nothing was. */
  readonly problems: readonly FieldProblem[];
}

/** The response as a document to be carried. */
export const asDocument = (response: DecideResponse): JsonValue => response as unknown as JsonValue;
