import { readFileSync, realpathSync, statSync } from 'node:fs';
import { ConfigError } from '@fleet/config';
import { isInside } from '@fleet/untrusted-files';
import { keyOf, type InstallationKey } from './session-signature';

const variable = 'FLEET_INSTALLATION_KEY_FILE';
const allowed = 'a file with one key per line: 32 random bytes in base64 (head -c 32 /dev/urandom | base64)';
/** Bytes. */
const shortestKey = 32;
const largestFile = 64 * 1024;
const maxKeys = 20;
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

const refused = (reason: string): ConfigError => new ConfigError([{ variable, reason, allowed }]);

/** One key from a line; the line itself is never shown. */
const keyOfLine = (line: string, number: number): InstallationKey => {
  const secret = base64.test(line) ? Buffer.from(line, 'base64') : Buffer.alloc(0);
  if (secret.length >= shortestKey) return keyOf(secret);
  throw refused(`line ${String(number)} is no key of at least ${String(shortestKey)} bytes; it is not shown`);
};

/**
 * The keys of this installation: the first one signs, all of them are accepted.
 * @param file absolute path; a link is followed, for that is how Kubernetes mounts a Secret
 * @param workRoot programs and their users read and write there: the key may not lie in it
 * @throws ConfigError that never shows a key
 */
export const readInstallationKeys = (file: string | undefined, workRoot: string): readonly InstallationKey[] => {
  if (file === undefined) return [];
  const path = realpathSync(file);
  const { size, mode } = statSync(path);
  if (size > largestFile) throw refused(`"${file}" is larger than ${String(largestFile)} bytes`);
  if ((mode & 0o002) !== 0) throw refused(`"${file}" may be written by everybody (mode ${(mode & 0o777).toString(8)})`);
  if (isInside(realpathSync(workRoot), path))
    throw refused(`"${file}" lies in the work folder, where programs and their users can read it`);
  const keys = readFileSync(path, 'utf8')
    .split('\n')
    .map((line, index) => [line.trim(), index + 1] as const)
    .filter(([line]) => line !== '' && !line.startsWith('#'))
    .map(([line, number]) => keyOfLine(line, number));
  if (keys.length === 0 || keys.length > maxKeys)
    throw refused(`"${file}" holds ${String(keys.length)} keys, not 1 to ${String(maxKeys)}`);
  return keys;
};
