import { ConfigError, readSecretFile } from '@fleet/config';
import { keyOf, type InstallationKey } from './session-signature';

const variable = 'FLEET_INSTALLATION_KEY_FILE';
const allowed = 'a file with one key per line: 32 random bytes in base64 (head -c 32 /dev/urandom | base64)';
/** Bytes. */
const shortestKey = 32;
const maxBytes = 64 * 1024;
const maxKeys = 20;
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

const refused = (reason: string): ConfigError => new ConfigError([{ variable, reason, allowed }]);

/** Parses one key from a line, which is never shown. */
const keyOfLine = (line: string, number: number): InstallationKey => {
  const secret = base64.test(line) ? Buffer.from(line, 'base64') : Buffer.alloc(0);
  if (secret.length >= shortestKey) return keyOf(secret);
  throw refused(`line ${String(number)} is not a key of at least ${String(shortestKey)} bytes; it is not shown`);
};

/**
 * The keys of this installation: the first one signs, all of them are accepted.
 * @param file absolute path; a link is followed, because Kubernetes mounts a Secret as one
 * @param workRoot programs and their users read and write there: the key must be outside it
 * @throws ConfigError that never shows a key
 */
export const readInstallationKeys = (file: string | undefined, workRoot: string): readonly InstallationKey[] => {
  if (file === undefined) return [];
  const keys = readSecretFile({ variable, allowed, file, maxBytes, workRoot })
    .split('\n')
    .map((line, index) => [line.trim(), index + 1] as const)
    .filter(([line]) => line !== '' && !line.startsWith('#'))
    .map(([line, number]) => keyOfLine(line, number));
  if (keys.length === 0 || keys.length > maxKeys)
    throw refused(`"${file}" holds ${String(keys.length)} keys, not 1 to ${String(maxKeys)}`);
  return keys;
};
