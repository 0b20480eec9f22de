import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { ApiError } from './errors/problem-details';

/** A `Host` header: a name or an IP address, in brackets if it has colons, and optionally a port. */
const hostHeader = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::\d{1,5})?$/i;

/** The normalised name or address; undefined if invalid. */
const nameIn = (host: string): string | undefined => {
  const parts = hostHeader.exec(host);
  return (parts?.[1] ?? parts?.[2])?.toLowerCase().replace(/\.$/, '');
};

/** Names that an attacker cannot redirect: browsers do not resolve them. */
const isOwn = (name: string): boolean => isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost');

/** `*.example.org` matches all names below, `*` any. */
const fits = (name: string, allowed: string): boolean =>
  allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed || allowed === '*';

/**
 * The host names that requests may use: IP addresses, localhost, this machine's own name, and configured ones. This
 * prevents DNS rebinding: an attacker's name that resolves to this machine makes the attacker's page same-origin for a
 * browser, and only the name reveals it.
 */
export const knownHosts = (names: readonly string[], machine = hostname()): ((host: string) => boolean) => {
  const allowed = [machine, ...names].map((name) => name.toLowerCase());
  return (host) => {
    const name = nameIn(host);
    return name !== undefined && (isOwn(name) || allowed.some((one) => fits(name, one)));
  };
};

export const foreignHost = (host: string): ApiError =>
  new ApiError(
    'request.foreign_host',
    `${JSON.stringify(host.slice(0, 100))} is not a name of this gateway; nothing was done. Use its IP address, or ask its operator to add the name to FLEET_GATEWAY_NAMES.`,
  );
