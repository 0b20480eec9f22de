import { ConfigError, type BackendConfig, type AccessConfig } from '@fleet/config';

/** On a single machine: programs are processes of the services' account. */
export const sharedAccount =
  "The programs of all proposals run under the account of the services: they can read and change each other's results, and read the services' secrets.";

/**
 * The message about the account of programs, with access control; undefined if each proposal may have its own.
 * @throws ConfigError if the configuration does not accept one account for all
 */
export const accountOf = (
  { backend, runAsOwnerOf }: Pick<BackendConfig, 'backend' | 'runAsOwnerOf'>,
  { sharedAccount: said }: Pick<AccessConfig, 'sharedAccount'>,
): string | undefined => {
  if (backend !== 'local' || runAsOwnerOf !== undefined) return undefined;
  if (said === 'accepted') return sharedAccount;
  throw new ConfigError([
    {
      variable: 'FLEET_SHARED_ACCOUNT',
      reason: `is "refused", there are API keys, and FLEET_BACKEND is local. ${sharedAccount}`,
      allowed:
        'accepted, if all key owners may do that; or FLEET_PROGRAMS_RUN_AS_OWNER_OF, or FLEET_BACKEND=kubernetes (docs/access.md#accounts)',
    },
  ]);
};
