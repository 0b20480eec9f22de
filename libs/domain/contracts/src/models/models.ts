/** API protocols of models. `openai` is also used by vLLM, LM Studio, Azure and most gateways. */
export const modelProtocols = ['openai', 'anthropic', 'google', 'ollama'] as const;
export type ModelProtocol = (typeof modelProtocols)[number];

/** Roles of messages to a model. */
export const modelRoles = ['system', 'user', 'assistant'] as const;
export type ModelRole = (typeof modelRoles)[number];

/**
 * Why a target gave no reply. A closed list: it decides what is tried next.
 * - `rate_limit`: too many requests for now
 * - `quota`: the purchased or granted quota is used up
 * - `auth`: the key is missing, wrong, or lacks permission
 * - `unavailable`: unreachable, missing, or in trouble
 * - `timeout`: no response, or too slow
 * - `overflow`: the messages are longer than the model's context
 * - `refused`: the model or its provider refuses to answer
 * - `bad_request`: the target rejects the form of the request
 * - `bad_answer`: the response is not a reply
 * - `aborted`: the caller aborted it
 * - `budget`: not sent, because it might have cost more than the site allows
 * - `resting`: not sent, because the target was in trouble a moment ago
 * - `too_long`: not sent, because the messages are longer than its context
 */
export const modelFailureClasses = [
  'rate_limit',
  'quota',
  'auth',
  'unavailable',
  'timeout',
  'overflow',
  'refused',
  'bad_request',
  'bad_answer',
  'aborted',
  'budget',
  'resting',
  'too_long',
] as const;
export type ModelFailureClass = (typeof modelFailureClasses)[number];

/** For these no request was made. */
export const unaskedClasses: readonly ModelFailureClass[] = ['budget', 'resting', 'too_long'];

/**
 * Why a turn (a question to the models of a role, with all its attempts) ended without a usable answer. A closed list.
 * - `model_invalid`: three answers were wrong
 * - `model_unavailable`: no target answered
 * - `model_rate_limited`, `model_quota`, `model_auth`, `model_refused`, `model_budget`, `context_limit`: none, and all for that reason
 * - `aborted`: the caller aborted it
 */
export const turnFailureCodes = [
  'model_invalid',
  'model_unavailable',
  'model_rate_limited',
  'model_quota',
  'model_auth',
  'model_refused',
  'model_budget',
  'context_limit',
  'aborted',
] as const;
export type TurnFailureCode = (typeof turnFailureCodes)[number];

/**
 * Problems of an answer, which are reported to the model. A closed list.
 * - `not_json`, `truncated`: no complete JSON object
 * - `schema_failed`: wrong members or types
 * - `program_not_allowed`: not on the menu
 * - `value_not_allowed`: a key that the program does not accept now, or an invalid value for it
 */
export const answerProblems = [
  'not_json',
  'truncated',
  'schema_failed',
  'program_not_allowed',
  'value_not_allowed',
] as const;
export type AnswerProblem = (typeof answerProblems)[number];

/** A request to a model, reserved before it is made. */
export interface RequestedModel {
  /** Name of the target, and its model. */
  readonly target: string;
  readonly model: string;
  /** Id and version of the prompt: `plan 1`. */
  readonly prompt: string;
  /** Of the messages, SHA-256, hexadecimal. */
  readonly hash: string;
  /** When it was made, by the clock of the worker. */
  readonly at: string;
}

/** The outcome of a request. */
export interface ModelOutcome {
  /** `lost`: its worker died before the outcome was known. */
  readonly result: 'answered' | 'lost' | ModelFailureClass;
  readonly why?: string;
  readonly latencyMs?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** In the currency of the site's prices; null without prices, or if the target did not report its usage. */
  readonly cost: number | null;
}

/** A request to a model in the ledger; without outcome while it is in progress. */
export interface ModelRequestEntry extends RequestedModel, Partial<ModelOutcome> {
  /** 1-based in its session. */
  readonly number: number;
  /** The work that it belongs to: `c003-plan`. */
  readonly work: string;
}

/** Name of the decision of a cycle as a work of models: `c003-plan`. Requests and replies use it. */
export const planWorkOf = (cycle: number): string => `c${String(cycle).padStart(3, '0')}-plan`;

/** Name of the work of reading the advice before a cycle: `c003-read`. */
export const readWorkOf = (cycle: number): string => `c${String(cycle).padStart(3, '0')}-read`;

/** Name of the work of assessing a session, by the number of the assessment: `a001-assess`. */
export const assessWorkOf = (number: number): string => `a${String(number).padStart(3, '0')}-assess`;

/** The assessment that a work belongs to; 0 for none. */
export const assessmentOfWork = (work: string): number => Number(/^a(\d{3,})-/.exec(work)?.[1] ?? 0);

/** Name of the work of summarising the log of a cycle, by the number of the summary: `c003-log001`. */
export const logWorkOf = (cycle: number, number: number): string =>
  `c${String(cycle).padStart(3, '0')}-log${String(number).padStart(3, '0')}`;

/** The cycle that a work belongs to; 0 for none. */
export const cycleOfWork = (work: string): number => Number(/^c(\d{3,})-/.exec(work)?.[1] ?? 0);

/** Name of the reply to a question: the work, and the beginning of the hash of the messages. */
export const replyNameOf = (work: string, hash: string): string => `${work}-${hash.slice(0, 16)}`;
