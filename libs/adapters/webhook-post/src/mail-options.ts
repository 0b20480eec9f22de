import type { MailSettings } from '@fleet/config';

/** Settings of e-mail, with timeouts. */
export interface MailOptions extends MailSettings {
  /** Timeout of one e-mail, including DNS and TLS. */
  readonly timeoutMs: number;
  /** Lease of its notices by one gateway, in milliseconds: longer than an e-mail takes. */
  readonly leaseMs: number;
  /** Maximum notices per e-mail; the rest is sent in the next one at once. */
  readonly notices: number;
}

export const mailPatience: Pick<MailOptions, 'timeoutMs' | 'leaseMs' | 'notices'> = {
  timeoutMs: 20_000,
  leaseMs: 60_000,
  notices: 200,
};
