import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isInside } from '@fleet/untrusted-files';
import { ConfigError } from './config.error';

/** An operator's file with a secret, and where to report a problem with it. */
export interface SecretFile {
  /** The environment variable that names it. */
  readonly variable: string;
  /** Requirements of the file, for the error message. */
  readonly allowed: string;
  /** Absolute path; a link is followed, because Kubernetes mounts a Secret as one. */
  readonly file: string;
  readonly maxBytes: number;
  /** Programs and their users read and write there: the secret must be outside it. */
  readonly workRoot: string;
}

/** @throws ConfigError if other users can write the file or programs can read it; it never shows the content */
export const readSecretFile = ({ variable, allowed, file, maxBytes, workRoot }: SecretFile): string => {
  const refused = (reason: string): ConfigError =>
    new ConfigError([{ variable, reason: `"${file}" ${reason}`, allowed }]);
  const path = realpathSync(file);
  const { size, mode } = statSync(path);
  if (size > maxBytes) throw refused(`is larger than ${String(maxBytes)} bytes`);
  if ((mode & 0o002) !== 0) throw refused(`may be written by every user (mode ${(mode & 0o777).toString(8)})`);
  if (isInside(realpathSync(workRoot), path))
    throw refused('is in the work folder, where programs and their users can read it');
  return readFileSync(path, 'utf8');
};
