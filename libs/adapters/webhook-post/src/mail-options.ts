import type { MailSettings } from '@fleet/config';

/** How e-mail is sent, and how patient that is. */
export interface MailOptions extends MailSettings {
  /** Milliseconds that one e-mail may take, names and TLS included. */
  readonly timeoutMs: number;
  /** Milliseconds for which what it tells is one gateway's: more than an e-mail takes. */
  readonly leaseMs: number;
  /** Notices in one e-mail; what is more comes in the next one, at once. */
  readonly notices: number;
}

export const mailPatience: Pick<MailOptions, 'timeoutMs' | 'leaseMs' | 'notices'> = {
  timeoutMs: 20_000,
  leaseMs: 60_000,
  notices: 200,
};
