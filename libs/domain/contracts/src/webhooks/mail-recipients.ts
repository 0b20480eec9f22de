/** An allowed e-mail target: a domain, or all its subdomains. */
export interface MailDomain {
  /** Lower case; with `below` only the subdomains. */
  readonly domain: string;
  readonly below: boolean;
}

export const mailDomainForms = 'domains separated by commas: example.org, *.example.org (those below it)';
export const mailAddressForm = "an address such as ada@example.org: ASCII letters, digits and . _ + ' ~ - before the @";

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const domainForm = new RegExp(`^(\\*\\.)?(${label}(?:\\.${label})*)$`);
/** Much stricter than the standards: no mail server can interpret a part as a quote, a comment, a route or a second address. */
const addressForm = new RegExp(`^[a-z0-9_'+~-]+(?:\\.[a-z0-9_'+~-]+)*@(${label}(?:\\.${label})*)$`, 'i');
const longestLocalPart = 64;
const longestAddress = 254;

const readMailDomain = (text: string): MailDomain | undefined => {
  const [, star, domain] = domainForm.exec(text.toLowerCase()) ?? [];
  return domain === undefined ? undefined : { domain, below: star !== undefined };
};

/** The domains in a text; undefined if one of them is invalid. */
export const readMailDomains = (text: string): readonly MailDomain[] | undefined => {
  const read = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readMailDomain);
  return read.every((domain) => domain !== undefined) ? read : undefined;
};

/** Whether a text is a single plain e-mail address. */
export const isMailAddress = (text: string): boolean =>
  text.length <= longestAddress && text.indexOf('@') <= longestLocalPart && addressForm.test(text);

/** Whether an address is an allowed recipient. */
export const isMailRecipient = (address: string, domains: readonly MailDomain[]): boolean => {
  if (!isMailAddress(address)) return false;
  const own = address.slice(address.indexOf('@') + 1).toLowerCase();
  return domains.some(({ domain, below }) => (below ? own.endsWith(`.${domain}`) : own === domain));
};

const scheme = 'mailto:';

/** The e-mail address of a webhook's URL, unchanged; undefined for an HTTP URL. */
export const mailAddressOf = (url: string): string | undefined =>
  url.startsWith(scheme) ? url.slice(scheme.length) : undefined;
