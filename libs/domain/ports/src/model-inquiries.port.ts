import type { JsonValue } from '@fleet/contracts/sessions';
import type { KeptReply } from './model-replies.port';

export const MODEL_INQUIRIES = Symbol('ModelInquiries');

/** A question that somebody without models has for one who has them, and waits for. */
export interface ModelInquiry {
  readonly id: string;
  /** Who asks, as the account has it. */
  readonly caller: string;
  /** Empty: it counts for none. */
  readonly proposal: string;
  /** Whose models are asked: a name of `providers`. */
  readonly provider: string;
  readonly question: JsonValue;
}

/**
 * Questions for models from processes that hold no keys, and their answers. An inquiry lasts as long as somebody waits for it: a few seconds
 * behind the last look. Every implementation passes `modelInquiriesContract` in libs/testing.
 */
export interface ModelInquiries {
  /** Whose models may be asked now, as workers that live say; in their order. */
  providers(): Promise<readonly string[]>;
  /** Says so, for so many milliseconds. */
  offer(providers: readonly string[], forMs: number): Promise<void>;
  ask(inquiry: ModelInquiry): Promise<void>;
  /** The answer, where there is one; until then somebody waits for it. */
  answerTo(id: string): Promise<JsonValue | undefined>;
  /** Nobody waits for it any more. */
  withdraw(id: string): Promise<void>;
  /** Takes the one that waits longest: it is nobody else's for so many milliseconds. Undefined: none waits. */
  take(leaseMs: number): Promise<ModelInquiry | undefined>;
  /** Whether somebody still waits; then it is nobody else's for so many milliseconds more. */
  isWanted(id: string, leaseMs: number): Promise<boolean>;
  /** It is answered; where nobody waits any more, the answer is forgotten soon. */
  answer(id: string, answer: JsonValue): Promise<void>;
  /** A reply of that provider's models that was paid within the last hour, by the hash of what was asked. */
  reply(provider: string, hash: string): Promise<KeptReply | undefined>;
  keepReply(provider: string, hash: string, reply: KeptReply): Promise<void>;
}
