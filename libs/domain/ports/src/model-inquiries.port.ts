import type { JsonValue } from '@fleet/contracts/sessions';
import type { StoredReply } from './model-replies.port';

export const MODEL_INQUIRIES = Symbol('ModelInquiries');

/** A question from a process without models to one with models, for which the caller waits. */
export interface ModelInquiry {
  readonly id: string;
  /** The caller, for the account. */
  readonly caller: string;
  /** Empty: no proposal is charged. */
  readonly proposal: string;
  /** The provider of the models: a name of `providers`. */
  readonly provider: string;
  readonly question: JsonValue;
}

/**
 * Questions to models from processes that hold no keys, and their answers. An inquiry expires a few seconds after its caller's last poll.
 * Every implementation passes `modelInquiriesContract` in libs/testing.
 */
export interface ModelInquiries {
  /** Providers that live workers offer, in their order. */
  providers(): Promise<readonly string[]>;
  /** Offers these providers for this many milliseconds. */
  offer(providers: readonly string[], forMs: number): Promise<void>;
  ask(inquiry: ModelInquiry): Promise<void>;
  /** The answer, if it exists. Each call keeps the inquiry alive. */
  answerTo(id: string): Promise<JsonValue | undefined>;
  /** Withdraws the inquiry: its caller no longer waits. */
  withdraw(id: string): Promise<void>;
  /** Takes the longest-waiting inquiry, with a lease of this many milliseconds. Undefined: none waits. */
  take(leaseMs: number): Promise<ModelInquiry | undefined>;
  /** Whether its caller still waits; then extends the lease. */
  isWanted(id: string, leaseMs: number): Promise<boolean>;
  /** Stores the answer; without a waiting caller it expires soon. */
  answer(id: string, answer: JsonValue): Promise<void>;
  /** A reply of that provider's models that was paid within the last hour, by the hash of the prompt. */
  reply(provider: string, hash: string): Promise<StoredReply | undefined>;
  keepReply(provider: string, hash: string, reply: StoredReply): Promise<void>;
}
