import type { RequestedModel, ModelFailureClass, ModelRole } from '@fleet/contracts/models';
import type { JsonValue } from '@fleet/contracts/sessions';

export interface ModelMessage {
  readonly role: ModelRole;
  readonly text: string;
}

export interface ModelRequest {
  /** System messages first. */
  readonly messages: readonly ModelMessage[];
  /** For the ledger: id and version of the prompt, and the hash of the whole request. */
  readonly asked: Pick<RequestedModel, 'prompt' | 'hash'>;
  /** JSON Schema of the answer, for targets that can enforce one; callers validate anyway. */
  readonly answer?: { readonly name: string; readonly schema: Readonly<Record<string, JsonValue>> };
}

/** Token counts of the target; absent if it did not report them. */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** Duration and cost of a call, whatever its outcome. */
interface ModelCall {
  readonly usage: ModelUsage;
  /** Milliseconds from the request to the end. */
  readonly latencyMs: number;
}

export interface ModelReply extends ModelCall {
  /** The answer without the reasoning; never empty. */
  readonly text: string;
  /** The reasoning before the answer, if it is reported. */
  readonly thinking: string;
  /** `length`: the answer was cut off. */
  readonly finish: 'stop' | 'length';
}

export interface ModelFailure extends ModelCall {
  readonly class: ModelFailureClass;
  /** For operators, one line; contains no key. */
  readonly why: string;
  /** HTTP status, if there was a response. */
  readonly status?: number;
  /** Pause in milliseconds that the target requested. */
  readonly retryAfterMs?: number;
}

export type ModelAnswer =
  { readonly ok: true; readonly reply: ModelReply } | { readonly ok: false; readonly failure: ModelFailure };

/** For a million tokens, in the site's currency. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** A model at one URL. One call is one request, without retries. */
export interface ModelTarget {
  /** The name that the site gave it. */
  readonly id: string;
  /** The model's name at the target. */
  readonly model: string;
  /** Maximum number of tokens of an answer. */
  readonly maxOutputTokens: number;
  /** Absent: the price is not configured. */
  readonly price?: ModelPrice;
  /** Whether the data stay within the site, as its operators configured it. */
  readonly local: boolean;
  /** Whether the messages leave room for an answer in the context; absent: unknown. */
  fits?(messages: readonly ModelMessage[]): boolean;
  /** Never rejects: every failure has a class. @param signal aborts the call, which then has the class `aborted` */
  ask(request: ModelRequest, signal?: AbortSignal): Promise<ModelAnswer>;
}
