import { isIPv4 } from 'node:net';
import { ConfigError, type AccessConfig } from '@fleet/config';
import type { Authentication } from './authentication';

/** Whether an address leads to this machine alone. A name that only some table of hosts knows is not treated as one. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** Whether anybody is asked who they are: a key was made once. Then nobody else gets in. */
export const isAnyoneKnown = async (authentication: Pick<Authentication, 'isOpen'>): Promise<boolean> =>
  !(await authentication.isOpen());

const howToGoOn =
  'an address of this machine alone (127.0.0.1) until there is a key. Make the first one there (phx admin keys create --owner NAME --role admin), or put one into a file (FLEET_INITIAL_ADMIN_KEY_FILE). FLEET_OPEN_ACCESS=anywhere lets everybody in';

/**
 * What is to be said of where the gateway listens; undefined where everybody is asked who they are.
 * @throws ConfigError where everybody who reaches this address could do everything, and nobody has said that they may
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
        'No API key was ever made: the gateway listens on this machine alone, and everybody on it may do everything (docs/access.md)',
    };
  if (openAccess === 'anywhere')
    return {
      level: 'warn',
      message:
        'No API key was ever made, and FLEET_OPEN_ACCESS=anywhere: everybody who reaches the gateway may do everything. Make the first key: phx admin keys create (docs/access.md)',
    };
  const reason = `is "${host}", and no API key was ever made: everybody who reaches the gateway could do everything`;
  throw new ConfigError([{ variable: 'FLEET_GATEWAY_HOST', reason, allowed: howToGoOn }]);
};
