import type {
  DeadNotice,
  DeliveryState,
  Notice,
  Webhook,
  WebhookMessage,
  WebhookRemoval,
} from '@fleet/contracts/webhooks';

export const WEBHOOKS = Symbol('Webhooks');
export const WEBHOOK_FILES = Symbol('WebhookFiles');
export const DELIVERIES = Symbol('Deliveries');

/**
 * Who is notified of sessions and batches. A webhook is made once and removed once, and never changed, so that two who do it at once agree.
 * Every implementation passes `webhooksContract` in libs/testing.
 */
export interface Webhooks {
  /** Harmless where it is there already; one that was removed stays removed. */
  create(webhook: Webhook): Promise<void>;
  find(id: string): Promise<Webhook | undefined>;
  /** The oldest first. */
  list(): Promise<readonly Webhook[]>;
  /** Ends it with all that waits for it. False where there is no such webhook. */
  remove(id: string, by: WebhookRemoval): Promise<boolean>;
}

/** Webhooks that outlive the database: an empty one gets them again. */
export interface KeptWebhooks extends Webhooks {
  /** Brings them back where the database has none of them any more; costs one look where it has. */
  restore(): Promise<void>;
}

/** Webhooks on the disk, and their secrets. */
export interface WebhookFiles {
  create(webhook: Webhook): Promise<void>;
  /** All that were ever made, with those that were removed. */
  all(): Promise<readonly (Webhook & { readonly isRemoved: boolean })[]>;
  remove(id: string, by: WebhookRemoval): Promise<void>;
  /**
   * The key of the installation that secrets of new webhooks are made from.
   * @throws Fault `webhook.no_installation_key` (conflict)
   */
  secretKey(): string;
  /** What its messages are signed with; undefined where the installation has lost the key that it was made from. */
  secretOf(webhook: Pick<Webhook, 'id' | 'secretKey'>): Buffer | undefined;
}

/** A notice for one webhook: the first in its line, or, of e-mail, behind those of its line that are given out with it. */
export interface Delivery {
  /** The same at every try; no other notice has it. */
  readonly id: string;
  /** The session or batch: its notices are reported in order. */
  readonly of: string;
  /** Tries that have failed. */
  readonly attempts: number;
  /** Undefined: what is stored of it cannot be read. */
  readonly told?: ToldNotice | undefined;
}

export interface ToldNotice {
  readonly notice: Notice;
  readonly title: string;
  readonly proposal: string;
  readonly beamline?: string | undefined;
  readonly batch?: string | undefined;
}

export interface ClaimedDeliveries {
  readonly webhook: Webhook;
  /** Claims in a row of which a try has failed, whatever it told. */
  readonly failing: number;
  readonly deliveries: readonly Delivery[];
}

/** How much is given out at a time, and for how long. */
export interface ClaimLimits {
  /** Lines of a webhook of which the first notice is given out. */
  readonly lines: number;
  readonly leaseMs: number;
  /** Of e-mail: whole lines are given out, in as many notices as one e-mail holds. */
  readonly mail: { readonly notices: number; readonly leaseMs: number };
}

/** The outcome of a notice that was not delivered. */
export interface Failure {
  readonly why: string;
  /** When it is tried again, in milliseconds; `never`: it is dead. */
  readonly againInMs: number | 'never';
  /** Milliseconds for which the target is left alone with everything. */
  readonly holdMs: number;
  /** Failures in a row, with this one. */
  readonly failing: number;
}

/**
 * What is to be told to whom. Notices are put there by the moves of sessions, each in the transaction of its move; here they are taken. Each session
 * and each batch has a line of its own for each webhook, of which only the first notice is ever given out. What is
 * told by e-mail is gathered for the minutes that the webhook names, and then given out in one claim, line by line. A claim ends by itself: who dies with
 * it leaves its notices to be given out again, under the same ids.
 */
export interface Deliveries {
  /** What is due of one webhook; undefined where nothing is. */
  claim(limits: ClaimLimits): Promise<ClaimedDeliveries | undefined>;
  /** It has arrived: the next of its line is due. False where it had been settled already. */
  delivered(webhook: string, delivery: Pick<Delivery, 'id' | 'of'>): Promise<boolean>;
  failed(webhook: string, delivery: Pick<Delivery, 'id' | 'of' | 'attempts'>, failure: Failure): Promise<boolean>;
  /** Ends the claim on a webhook: what is due of it may be claimed at once. */
  release(webhook: string): Promise<void>;
  state(webhook: string): Promise<DeliveryState>;
  /** The newest first. */
  dead(webhook: string, limit: number): Promise<readonly DeadNotice[]>;
  /** Dead notices wait again, under the same ids and behind what waits. @returns how many */
  replay(webhook: string, ids?: readonly string[]): Promise<number>;
  /** Looks at batches of which something has ended, and puts the notice of those that have as a whole. */
  noticeBatches(limit: number): Promise<void>;
}

interface Sent {
  /** What the target answered. */
  readonly status: number;
}

/** Why a message was not taken. */
export interface NotSent {
  readonly why: string;
  readonly status?: number;
  /** The target says that it is no more: nothing of the same is tried again. */
  readonly isGone: boolean;
  /** It is not about the message: the target is away, or asks for time. */
  readonly isTarget: boolean;
  readonly retryAfterMs?: number;
}

export type Sending = Sent | NotSent;
export const isSent = (sending: Sending): sending is Sent => !('why' in sending);

/** A message, with the id that tells it from all others: the same at every try. */
export interface OutgoingMessage {
  readonly id: string;
  readonly message: WebhookMessage;
}

/** A webhook whose endpoint was looked up and judged. */
export interface OpenedWebhook {
  /** Sends a message once, or several in one e-mail; whatever happens is an answer. */
  send(messages: readonly [OutgoingMessage, ...OutgoingMessage[]]): Promise<Sending>;
}

/** Sends messages to webhooks. */
export interface MessagePost {
  open(webhook: Webhook): Promise<OpenedWebhook>;
}
