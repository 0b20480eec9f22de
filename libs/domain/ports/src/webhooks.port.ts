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
 * Notification targets for sessions and batches. A webhook is created once and removed once, and never changed, so concurrent calls agree.
 * Every implementation passes `webhooksContract` in libs/testing.
 */
export interface Webhooks {
  /** Idempotent; a removed webhook stays removed. */
  create(webhook: Webhook): Promise<void>;
  find(id: string): Promise<Webhook | undefined>;
  /** The oldest first. */
  list(): Promise<readonly Webhook[]>;
  /** Removes it with all its pending notices. False if it does not exist. */
  remove(id: string, by: WebhookRemoval): Promise<boolean>;
}

/** Webhooks that outlive the database: they are restored into an empty one. */
export interface KeptWebhooks extends Webhooks {
  /** Restores them if the database has none of them; otherwise costs one check. */
  restore(): Promise<void>;
}

/** Webhooks on the disk, and their secrets. */
export interface WebhookFiles {
  create(webhook: Webhook): Promise<void>;
  /** All that were ever created, including the removed ones. */
  all(): Promise<readonly (Webhook & { readonly isRemoved: boolean })[]>;
  remove(id: string, by: WebhookRemoval): Promise<void>;
  /**
   * The key of the installation from which secrets of new webhooks are derived.
   * @throws Fault `webhook.no_installation_key` (conflict)
   */
  secretKey(): string;
  /** The signing secret; undefined if the installation has lost the key from which it was derived. */
  secretOf(webhook: Pick<Webhook, 'id' | 'secretKey'>): Buffer | undefined;
}

/** A notice for one webhook: the first in its queue, or, for e-mail, one of those that are delivered together. */
export interface Delivery {
  /** Unique, and the same in every attempt. */
  readonly id: string;
  /** The session or batch: its notices are delivered in order. */
  readonly of: string;
  /** Number of failed attempts. */
  readonly attempts: number;
  /** Undefined: the stored content cannot be read. */
  readonly content?: DeliveryContent | undefined;
}

export interface DeliveryContent {
  readonly notice: Notice;
  readonly title: string;
  readonly proposal: string;
  readonly beamline?: string | undefined;
  readonly batch?: string | undefined;
}

export interface ClaimedDeliveries {
  readonly webhook: Webhook;
  /** Consecutive claims with a failed attempt. */
  readonly failing: number;
  readonly deliveries: readonly Delivery[];
}

/** Maximum size of a claim, and its lease. */
export interface ClaimLimits {
  /** Maximum number of queues of a webhook whose first notice is claimed together. */
  readonly lines: number;
  readonly leaseMs: number;
  /** E-mail: whole queues are claimed, with as many notices as one e-mail holds. */
  readonly mail: { readonly notices: number; readonly leaseMs: number };
}

/** The result of a failed delivery. */
export interface Failure {
  readonly why: string;
  /** When it is retried, in milliseconds; `never`: it is dead. */
  readonly againInMs: number | 'never';
  /** Milliseconds for which all deliveries to the target pause. */
  readonly holdMs: number;
  /** Consecutive failures, including this one. */
  readonly failing: number;
}

/**
 * The queues of notices. Each transition of a session adds notices in its own transaction; this port takes them. Each session and each batch
 * has its own queue for each webhook, of which only the first notice is ever claimed. E-mail is collected for the minutes that the webhook
 * defines, and then taken in one claim, queue by queue. A claim expires: after a crash its notices are claimed again, under the same ids.
 */
export interface Deliveries {
  /** Claims due notices of one webhook; undefined if nothing is due. */
  claim(limits: ClaimLimits): Promise<ClaimedDeliveries | undefined>;
  /** Confirms a delivery: the next of its queue is due. False if it was already settled. */
  delivered(webhook: string, delivery: Pick<Delivery, 'id' | 'of'>): Promise<boolean>;
  failed(webhook: string, delivery: Pick<Delivery, 'id' | 'of' | 'attempts'>, failure: Failure): Promise<boolean>;
  /** Ends the claim on a webhook: its due notices may be claimed at once. */
  release(webhook: string): Promise<void>;
  state(webhook: string): Promise<DeliveryState>;
  /** The newest first. */
  dead(webhook: string, limit: number): Promise<readonly DeadNotice[]>;
  /** Puts dead notices back, under the same ids and behind the pending ones. @returns how many */
  replay(webhook: string, ids?: readonly string[]): Promise<number>;
  /** Checks batches with newly ended sessions, and adds the notice of those that have ended completely. */
  noticeBatches(limit: number): Promise<void>;
}

interface Sent {
  /** HTTP status of the response. */
  readonly status: number;
}

/** Why a message was not accepted. */
export interface NotSent {
  readonly why: string;
  readonly status?: number;
  /** The target is permanently gone: no retries. */
  readonly isGone: boolean;
  /** The problem is the target, not the message: it is unreachable, or requests a pause. */
  readonly isTarget: boolean;
  readonly retryAfterMs?: number;
}

export type Sending = Sent | NotSent;
export const isSent = (sending: Sending): sending is Sent => !('why' in sending);

/** A message with a unique id, which is the same in every attempt. */
export interface OutgoingMessage {
  readonly id: string;
  readonly message: WebhookMessage;
}

/** A webhook whose endpoint was resolved and checked. */
export interface OpenedWebhook {
  /** Sends a message once, or several in one e-mail; every failure is a return value. */
  send(messages: readonly [OutgoingMessage, ...OutgoingMessage[]]): Promise<Sending>;
}

/** Sends messages to webhooks. */
export interface MessagePost {
  open(webhook: Webhook): Promise<OpenedWebhook>;
}
