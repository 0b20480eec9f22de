import type { AskedModel, ModelOutcome, ModelRequestEntry } from '@fleet/contracts/models';

export const MODEL_LEDGER = Symbol('ModelLedger');

/** Something for which models are asked: a step of a session that pays once, whoever takes it. */
export interface ModelWork {
  readonly session: string;
  readonly proposal: string;
  /** `c003-plan` */
  readonly name: string;
  /** Milliseconds after which its account goes by itself; absent: it stays. */
  readonly retentionMs?: number;
}

/** What requests use. */
export interface ModelSpending {
  readonly requests: number;
  /** Of requests and answers together. */
  readonly tokens: number;
  /** In the currency of the site's prices. */
  readonly cost: number;
}

/** What may be spent; a member that is absent has no limit. */
export interface ModelBudgets {
  /** By one session. */
  readonly session?: Partial<ModelSpending>;
  /** By all sessions of one proposal. */
  readonly proposal?: Partial<ModelSpending>;
  /** By all sessions on one day, UTC. */
  readonly day?: Partial<ModelSpending>;
}

/** A request that may be made. */
export interface ReservedRequest {
  readonly number: number;
  /** The day that it counts for: days since 1970. */
  readonly day: number;
}

/** `not_held`: another worker does the work by now. */
export type Reservation = ReservedRequest | { readonly refused: 'not_held' | { readonly budget: keyof ModelBudgets } };

/**
 * Who asks models for what just now, what all requests were, and what they cost. A work is held by one worker at a time; from one that is
 * silent for a while another one may take it, and its requests count as lost then. That time decides who asks next and nothing else: a
 * worker that has lost the work can make no request any more, and of two decisions the record's version takes one.
 */
export interface ModelLedger {
  /** Takes the work for this worker, again where it has it: requests that were left open are lost then. False: another one has it. */
  hold(work: ModelWork): Promise<boolean>;
  /** Keeps it, every few seconds, also after a silence in which nobody took it. False: another one has taken it. */
  renew(work: ModelWork): Promise<boolean>;
  /** Lets others take it at once. */
  release(work: ModelWork): Promise<void>;
  /** Before a request. @param most what it may use at the most, which counts until it is settled, and for good if it is lost */
  reserve(work: ModelWork, asked: AskedModel, most: ModelSpending, budgets: ModelBudgets): Promise<Reservation>;
  /** Behind it. @param less what it has used less than it might have */
  settle(work: ModelWork, reserved: ReservedRequest, outcome: ModelOutcome, less: ModelSpending): Promise<void>;
  /** All requests of a session, in their order. */
  entries(session: string): Promise<readonly ModelRequestEntry[]>;
}
