/** How a model is spoken to. `openai` is also what vLLM, LM Studio, Azure and most gateways speak. */
export const modelProtocols = ['openai', 'anthropic', 'google', 'ollama'] as const;
export type ModelProtocol = (typeof modelProtocols)[number];

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
 * - `bad_answer`: something came, and it is no reply
 * - `aborted`: the caller gave up
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
] as const;
export type ModelFailureClass = (typeof modelFailureClasses)[number];
