import { isDecodable } from './redis-connection';

/** An SMTP server. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `at-once`: from the first byte; `starttls`: after a greeting, and never without; `none`: unencrypted. */
  readonly tls: 'at-once' | 'starttls' | 'none';
  readonly login?: { readonly user: string; readonly pass: string };
}

export const mailServerForms =
  'smtps://[user:password@]host[:465] (TLS at once), smtp://[user:password@]host[:587] (STARTTLS, never without), or smtp+plain://host[:25] (without TLS, and so without a password); reserved characters of user and password percent-encoded';

const schemes = {
  smtps: { tls: 'at-once', port: 465 },
  smtp: { tls: 'starttls', port: 587 },
  'smtp+plain': { tls: 'none', port: 25 },
} as const;
const form =
  /^(smtps|smtp|smtp\+plain):\/\/(?:([^\s:@/]+):([^\s:@/]+)@)?([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::([1-9]\d{0,4}))?\/?$/;

const loginOf = (user: string | undefined, pass: string | undefined): Pick<MailServer, 'login'> =>
  user === undefined || pass === undefined
    ? {}
    : { login: { user: decodeURIComponent(user), pass: decodeURIComponent(pass) } };

/** Undefined for an invalid server, and for one that would receive a password unencrypted. */
export const readMailServer = (text: string): MailServer | undefined => {
  const [, scheme, user, pass, host, given] = form.exec(text) ?? [];
  if (scheme === undefined || host === undefined || !isDecodable(text)) return undefined;
  const { tls, port: usual } = schemes[scheme as keyof typeof schemes];
  const port = Number(given ?? usual);
  if (port > 65_535 || (user !== undefined && tls === 'none')) return undefined;
  return { host: host.replaceAll(/^\[|\]$/g, ''), port, tls, ...loginOf(user, pass) };
};
