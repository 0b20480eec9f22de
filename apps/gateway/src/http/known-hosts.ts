import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { ApiError } from './errors/problem-details';

/** A `Host` header: a name or an address, in brackets where it has colons, and perhaps a port. */
const hostHeader = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::\d{1,5})?$/i;

/** The name or address alone, as names are compared; undefined for what is not a host. */
const nameIn = (host: string): string | undefined => {
  const parts = hostHeader.exec(host);
  return (parts?.[1] ?? parts?.[2])?.toLowerCase().replace(/\.$/, '');
};

/** Nobody else can let these lead here: browsers do not look them up. */
const isOwn = (name: string): boolean => isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost');

/** `*.example.org` stands for all names below, `*` for any. */
const fits = (name: string, allowed: string): boolean =>
  allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed || allowed === '*';

/**
 * Which names requests may call the gateway by: addresses, localhost, this machine's own name, and those that are configured. A page of a
 * name of its owner's own, which he lets lead to this machine's address, is of the gateway's origin to a browser; its name is all that
 * tells them apart.
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
    `This gateway does not answer to the name ${JSON.stringify(host.slice(0, 100))}; nothing was done. Use its address, or ask its operator to add the name to FLEET_GATEWAY_NAMES.`,
  );
