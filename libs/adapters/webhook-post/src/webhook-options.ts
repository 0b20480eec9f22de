import { lookup } from 'node:dns/promises';
import type { WebhookTarget } from '@fleet/contracts/webhooks';
import type { AllowedAddresses } from './allowed-addresses';
import type { MailOptions } from './mail-options';

export const WEBHOOK_OPTIONS = Symbol('WebhookOptions');

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Where webhooks may go, and how patient deliveries are. */
export interface WebhookOptions {
  /** None: this installation sends no webhooks. */
  readonly targets: readonly WebhookTarget[];
  readonly addresses: AllowedAddresses;
  /** Absent: this installation sends no e-mail. */
  readonly mail?: MailOptions | undefined;
  /** What links begin with: the gateway's address, or nothing. */
  readonly linkBase: string;
  /** All addresses of a host name, as the system tells them. */
  readonly resolve: (host: string) => Promise<readonly ResolvedAddress[]>;
  /** Milliseconds that one try may take, names and TLS included. */
  readonly timeoutMs: number;
  /** Milliseconds for which notices are one gateway's: more than a try takes. */
  readonly leaseMs: number;
  /** Milliseconds between two looks where nothing is due. */
  readonly idleMs: number;
  /** Milliseconds until the second try; each next one comes four times later. */
  readonly firstAgainMs: number;
  /** Tries until a notice is dead. */
  readonly maxAttempts: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** About a day of tries: 5 s, 20 s, 80 s, 5 min, 21 min, 1.4 h, 5.7 h, 6 h, 6 h. */
export const patience: Pick<
  WebhookOptions,
  'resolve' | 'timeoutMs' | 'leaseMs' | 'idleMs' | 'firstAgainMs' | 'maxAttempts' | 'random'
> = {
  resolve: (host) => lookup(host, { all: true }),
  timeoutMs: 10_000,
  leaseMs: 30_000,
  idleMs: 500,
  firstAgainMs: 5_000,
  maxAttempts: 10,
  random: Math.random,
};
