import { ConfigError, readSecretFile } from '@fleet/config';
import type { ApiKey } from '@fleet/contracts/access';
import { isFault } from '@fleet/contracts/faults';
import { scopesOfRole } from '@fleet/contracts/route';
import { isSameHash, readKeyText, type ShownKey } from '@fleet/keys';
import { isoTime, type AccessKeys, type Clock } from '@fleet/ports';

const variable = 'FLEET_INITIAL_ADMIN_KEY_FILE';
const allowed =
  'a file with one key: "phx_", 16 small letters and digits, "_", and 43 letters, digits, "-" or "_" at random';
const maxBytes = 4096;
const goodForMs = 3650 * 24 * 60 * 60 * 1000;

const refused = (reason: string): ConfigError => new ConfigError([{ variable, reason, allowed }]);

/** @throws ConfigError that never shows a key */
const keyIn = (file: string, workRoot: string): ShownKey => {
  const shown = readKeyText(readSecretFile({ variable, allowed, file, maxBytes, workRoot }).trim());
  if (shown === undefined) throw refused(`"${file}" contains no API key; its content is not shown`);
  return shown;
};

interface Registering {
  readonly keys: Pick<AccessKeys, 'create' | 'find'>;
  readonly clock: Clock;
  /** Absolute. */
  readonly workRoot: string;
}

const createUnlessThere = async (keys: Registering['keys'], key: ApiKey): Promise<void> => {
  try {
    await keys.create(key);
  } catch (error) {
    // Another gateway, or this one before a restart.
    if (!isFault(error) || error.code !== 'key.exists') throw error;
  }
};

/**
 * Registers the key in a file as an administrator's, once: several gateways may do so at the same time, and each start
 * repeats it. A revoked or expired key stays so. Returns the key.
 * @param file absolute path
 * @throws ConfigError if the file contains no key, or another secret than the one registered under its id; Fault
 *   `key.no_installation_key`
 */
export const registerInitialAdminKey = async (
  file: string,
  { keys, clock, workRoot }: Registering,
): Promise<ApiKey> => {
  const { id, hash } = keyIn(file, workRoot);
  if ((await keys.find(id)) === undefined)
    await createUnlessThere(keys, {
      id,
      hash,
      owner: 'administrator',
      role: 'admin',
      proposals: [],
      beamlines: [],
      scopes: [...scopesOfRole('admin')],
      label: 'the initial administrator',
      createdAt: isoTime(clock),
      createdBy: variable,
      expiresAt: new Date(clock.now() + goodForMs).toISOString(),
    });
  const known = await keys.find(id);
  if (known === undefined || !isSameHash(known.hash, hash))
    throw refused(`"${file}" contains another key than the known key ${id}`);
  return known;
};
