import { readMailDomains, type MailDomain } from '@fleet/contracts/webhooks';
import { ConfigError, type ConfigProblem } from './config.error';
import type { MailConfig } from './mail-section';
import { readMailServer, type MailServer } from './mail-server';

/** Settings of e-mail, and allowed recipients. */
export interface MailSettings {
  readonly server: MailServer;
  /** Sender address. */
  readonly from: string;
  readonly domains: readonly MailDomain[];
}

/**
 * Settings of e-mail; undefined if it is disabled.
 * @throws ConfigError if they are incomplete
 */
export const mailOf = ({ server, from, domains }: MailConfig): MailSettings | undefined => {
  const given = { FLEET_SMTP_URL: server, FLEET_MAIL_FROM: from, FLEET_MAIL_DOMAINS: domains };
  const missing = Object.entries(given).filter(([, value]) => value === undefined);
  const settings = server === undefined ? undefined : readMailServer(server);
  const read = domains === undefined ? undefined : readMailDomains(domains);
  if (settings !== undefined && from !== undefined && read !== undefined)
    return { server: settings, from, domains: read };
  if (missing.length === Object.keys(given).length) return undefined;
  const others = Object.keys(given).join(', ');
  throw new ConfigError(
    missing.map(([variable]): ConfigProblem => ({
      variable,
      reason: `is missing: e-mail needs all of ${others}, or none`,
    })),
  );
};
