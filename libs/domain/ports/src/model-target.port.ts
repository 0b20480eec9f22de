import type { AskedModel, ModelFailureClass, ModelRole } from '@fleet/contracts/models';
import type { JsonValue } from '@fleet/contracts/sessions';

export interface ModelMessage {
  readonly role: ModelRole;
  readonly text: string;
}

export interface ModelRequest {
  /** Those of the system first. */
  readonly messages: readonly ModelMessage[];
  /** What is asked, for the ledger: id and version of the prompt, and the hash of all of it. */
  readonly asked: Pick<AskedModel, 'prompt' | 'hash'>;
  /** JSON Schema of the answer, for targets that can be held to one; nobody relies on it. */
  readonly answer?: { readonly name: string; readonly schema: Readonly<Record<string, JsonValue>> };
}

/** Tokens as the target counted them; absent where it did not say. */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** What a call took and cost, whatever happens to it. */
interface ModelCall {
  readonly usage: ModelUsage;
  /** Milliseconds from the request to the end. */
  readonly latencyMs: number;
}

export interface ModelReply extends ModelCall {
  /** What the model said, without what it thought; never empty. */
  readonly text: string;
  /** What it thought before, as far as it is reported; never a part of the answer. */
  readonly thinking: string;
  /** `length`: the answer was cut off. */
  readonly finish: 'stop' | 'length';
}

export interface ModelFailure extends ModelCall {
  readonly class: ModelFailureClass;
  /** For operators, one line; holds no key. */
  readonly why: string;
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** Milliseconds for which the target wants to be left alone. */
  readonly retryAfterMs?: number;
}

export type ModelAnswer =
  { readonly ok: true; readonly reply: ModelReply } | { readonly ok: false; readonly failure: ModelFailure };

/** For a million tokens, in a currency that the site has chosen. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** A model at one address. One call is one request: nothing is tried again here. */
export interface ModelTarget {
  /** The name that the site gave it. */
  readonly id: string;
  /** The model's name at the target. */
  readonly model: string;
  /** Tokens of an answer at the most. */
  readonly maxOutputTokens: number;
  /** What a million tokens cost; absent: nobody has said it. */
  readonly price?: ModelPrice;
  /** Whether what is sent stays within the site, as its operators say. */
  readonly local: boolean;
  /** Whether the messages leave room for an answer in its context, as far as can be said before; absent: nothing is known. */
  fits?(messages: readonly ModelMessage[]): boolean;
  /** Never rejects: whatever goes wrong has a class. @param signal ends the call, which is `aborted` then */
  ask(request: ModelRequest, signal?: AbortSignal): Promise<ModelAnswer>;
}
