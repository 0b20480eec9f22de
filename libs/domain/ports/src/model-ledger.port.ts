import type { RequestedModel, ModelOutcome, ModelRequestEntry } from '@fleet/contracts/models';

export const MODEL_LEDGER = Symbol('ModelLedger');

/** A unit of work for models: a step of a session that is paid once, whichever worker takes it. */
export interface ModelWork {
  readonly session: string;
  readonly proposal: string;
  /** `c003-plan` */
  readonly name: string;
  /** Lifetime of its account in milliseconds; absent: unlimited. */
  readonly retentionMs?: number;
}

/** Consumption of requests. */
export interface ModelSpending {
  readonly requests: number;
  /** Input and output tokens. */
  readonly tokens: number;
  /** In the currency of the site's prices. */
  readonly cost: number;
}

/** Spending limits; an absent member has no limit. */
export interface ModelBudgets {
  /** For one session. */
  readonly session?: Partial<ModelSpending>;
  /** For all sessions of one proposal. */
  readonly proposal?: Partial<ModelSpending>;
  /** For all sessions on one day (UTC). */
  readonly day?: Partial<ModelSpending>;
}

/** A request that may be made. */
export interface ReservedRequest {
  readonly number: number;
  /** The day that is charged: days since 1970. */
  readonly day: number;
}

/** `not_held`: another worker holds the work now. */
export type Reservation = ReservedRequest | { readonly refused: 'not_held' | { readonly budget: keyof ModelBudgets } };

/**
 * Which worker queries models for which work, all requests, and their cost. One worker at a time holds a work. After a silence another worker
 * may take it; open requests then count as lost. That time only decides which worker continues: a worker that lost the work can make no more
 * requests, and of two decisions the record's version accepts one.
 */
export interface ModelLedger {
  /** Takes the work for this worker, or takes it again; open requests are then lost. False: another worker holds it. */
  hold(work: ModelWork): Promise<boolean>;
  /** Heartbeat, every few seconds; valid also after a silence if no other worker took the work. False: another worker has taken it. */
  renew(work: ModelWork): Promise<boolean>;
  /** Lets others take it at once. */
  release(work: ModelWork): Promise<void>;
  /**
   * Reserves before a request. @param most the maximum consumption, which is charged until it is settled, and permanently if the request is
   * lost
   */
  reserve(work: ModelWork, asked: RequestedModel, most: ModelSpending, budgets: ModelBudgets): Promise<Reservation>;
  /** Settles after a request. @param less unused part of the reservation */
  settle(work: ModelWork, reserved: ReservedRequest, outcome: ModelOutcome, less: ModelSpending): Promise<void>;
  /** All requests of a session, in their order. */
  entries(session: string): Promise<readonly ModelRequestEntry[]>;
}
