import { isIPv4 } from 'node:net';
import { ConfigError, type AccessConfig } from '@fleet/config';
import type { Authentication } from './authentication';

/** Whether a host leads only to this machine. A name from a hosts file does not count. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** Whether callers must identify themselves: a key was created once. */
export const isAnyoneKnown = async (authentication: Pick<Authentication, 'isOpen'>): Promise<boolean> =>
  !(await authentication.isOpen());

const howToGoOn =
  'an address of this machine only (127.0.0.1) until the first key exists. Create it there (phx admin keys create --owner NAME --role admin), or put one into a file (FLEET_INITIAL_ADMIN_KEY_FILE). FLEET_OPEN_ACCESS=anywhere gives everyone access';

/**
 * The message about the listen address; undefined if callers must identify themselves.
 * @throws ConfigError if anyone who can reach this address would have full access, and the configuration does not
 *   accept that
 */
export const bindingOf = (
  { host, openAccess }: { readonly host: string } & Pick<AccessConfig, 'openAccess'>,
  anyoneKnown: boolean,
): { readonly level: 'log' | 'warn'; readonly message: string } | undefined => {
  if (anyoneKnown) return undefined;
  if (isLoopback(host))
    return {
      level: 'log',
      message:
        'There is no API key yet: the gateway listens on this machine only, and everyone on it has full access (docs/access.md)',
    };
  if (openAccess === 'anywhere')
    return {
      level: 'warn',
      message:
        'There is no API key yet, and FLEET_OPEN_ACCESS=anywhere: everyone who can reach the gateway has full access. Create the first key: phx admin keys create (docs/access.md)',
    };
  const reason = `is "${host}", but there is no API key yet: everyone who can reach the gateway would have full access`;
  throw new ConfigError([{ variable: 'FLEET_GATEWAY_HOST', reason, allowed: howToGoOn }]);
};
