import { lookup } from 'node:dns/promises';
import type { WebhookTarget } from '@fleet/contracts/webhooks';
import type { AllowedAddresses } from './allowed-addresses';
import type { MailOptions } from './mail-options';

export const WEBHOOK_OPTIONS = Symbol('WebhookOptions');

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Allowed targets of webhooks, and timeouts of deliveries. */
export interface WebhookOptions {
  /** Empty: this installation sends no webhooks. */
  readonly targets: readonly WebhookTarget[];
  readonly addresses: AllowedAddresses;
  /** Absent: this installation sends no e-mail. */
  readonly mail?: MailOptions | undefined;
  /** Prefix of links: the gateway's URL, or empty. */
  readonly linkBase: string;
  /** All IP addresses of a host name, from the system's resolver. */
  readonly resolve: (host: string) => Promise<readonly ResolvedAddress[]>;
  /** Timeout of one try in milliseconds, including DNS and TLS. */
  readonly timeoutMs: number;
  /** Lease of notices by one gateway, in milliseconds: longer than a try takes. */
  readonly leaseMs: number;
  /** Milliseconds between two checks if nothing is due. */
  readonly idleMs: number;
  /** Delay of the second try, in milliseconds; each next delay is four times as long. */
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
