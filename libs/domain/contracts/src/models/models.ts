/** How a model is spoken to. `openai` is also what vLLM, LM Studio, Azure and most gateways speak. */
export const modelProtocols = ['openai', 'anthropic', 'google', 'ollama'] as const;
export type ModelProtocol = (typeof modelProtocols)[number];

/** Who speaks in a question to a model. */
export const modelRoles = ['system', 'user', 'assistant'] as const;
export type ModelRole = (typeof modelRoles)[number];

/**
 * Why a target gave no reply. A closed list: it decides on what is tried next.
 * - `rate_limit`: too many requests for now
 * - `quota`: nothing is left of what was bought or granted
 * - `auth`: the key is missing, wrong, or not allowed to do this
 * - `unavailable`: not reached, not there, or in trouble
 * - `timeout`: silent, or slow, for longer than allowed
 * - `overflow`: the messages are longer than the model's context
 * - `refused`: the model or its provider does not want to answer this
 * - `bad_request`: the target does not take the request as it is
 * - `bad_answer`: something came, and it is not a reply
 * - `aborted`: the caller gave up
 * - `budget`: it was not asked, because it might have cost more than the site allows
 * - `resting`: it was not asked, because it was in trouble a moment ago
 * - `too_long`: it was not asked, for the messages are longer than its context
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

/** Of these no request was made. */
export const unaskedClasses: readonly ModelFailureClass[] = ['budget', 'resting', 'too_long'];

/**
 * Why a turn (a question to the models of a role, with all its attempts) ended without an answer that can be used. A closed list.
 * - `model_invalid`: three answers were wrong
 * - `model_unavailable`: no target answered
 * - `model_rate_limited`, `model_quota`, `model_auth`, `model_refused`, `model_budget`, `context_limit`: none, and all for that reason
 * - `aborted`: whoever asked gave up
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
 * What is wrong with an answer, which the model receives. A closed list.
 * - `not_json`, `truncated`: no whole JSON object
 * - `schema_failed`: other members or types than asked for
 * - `program_not_allowed`: not on the menu
 * - `value_not_allowed`: a key that the program does not have now, or a value that is none of it
 */
export const answerProblems = [
  'not_json',
  'truncated',
  'schema_failed',
  'program_not_allowed',
  'value_not_allowed',
] as const;
export type AnswerProblem = (typeof answerProblems)[number];

/** What a request was, which is reserved before it is made. */
export interface AskedModel {
  /** Name of the target, and its model. */
  readonly target: string;
  readonly model: string;
  /** Id and version of the prompt: `plan 1`. */
  readonly prompt: string;
  /** Of what was asked, SHA-256, hexadecimal. */
  readonly hash: string;
  /** When it was made; by the clock of the worker. */
  readonly at: string;
}

/** The outcome of a request. */
export interface ModelOutcome {
  /** `lost`: its worker ended before it knew. */
  readonly result: 'answered' | 'lost' | ModelFailureClass;
  readonly why?: string;
  readonly latencyMs?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** In the currency of the site's prices; null where it has none, or the target did not count. */
  readonly cost: number | null;
}

/** A request to a model, as the ledger has it; `came` is absent while it is under way. */
export interface ModelRequestEntry extends AskedModel, Partial<ModelOutcome> {
  /** From 1 in its session. */
  readonly number: number;
  /** What it was asked for: `c003-plan`. */
  readonly work: string;
}

/** What models are asked for in a cycle: `c003-plan`. Requests and replies are called so. */
export const planWorkOf = (cycle: number): string => `c${String(cycle).padStart(3, '0')}-plan`;

/** What models are asked for before a cycle whose advice none of them has read: `c003-read`. */
export const readWorkOf = (cycle: number): string => `c${String(cycle).padStart(3, '0')}-read`;

/** What models are asked for where a session is to be assessed, by the number of the assessment: `a001-assess`. */
export const assessWorkOf = (number: number): string => `a${String(number).padStart(3, '0')}-assess`;

/** The assessment that a work is for; 0 for none. */
export const assessmentOfWork = (work: string): number => Number(/^a(\d{3,})-/.exec(work)?.[1] ?? 0);

/** What models are asked for where the log of a cycle is to be summed up, by the number of the summary: `c003-log001`. */
export const logWorkOf = (cycle: number, number: number): string =>
  `c${String(cycle).padStart(3, '0')}-log${String(number).padStart(3, '0')}`;

/** The cycle that a work is for; 0 for none. */
export const cycleOfWork = (work: string): number => Number(/^c(\d{3,})-/.exec(work)?.[1] ?? 0);

/** What the reply to a question is called: the work, and the beginning of the hash of what was asked. */
export const replyNameOf = (work: string, hash: string): string => `${work}-${hash.slice(0, 16)}`;
