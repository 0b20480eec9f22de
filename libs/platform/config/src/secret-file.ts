import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isInside } from '@fleet/untrusted-files';
import { ConfigError } from './config.error';

/** A file of the operator's that holds a secret, and where a mistake in it is reported. */
export interface SecretFile {
  /** The environment variable that names it. */
  readonly variable: string;
  /** What it has to be, for whoever fixes it. */
  readonly allowed: string;
  /** Absolute path; a link is followed, for that is how Kubernetes mounts a Secret. */
  readonly file: string;
  readonly maxBytes: number;
  /** Programs and their users read and write there: the secret may not lie in it. */
  readonly workRoot: string;
}

/** @throws ConfigError where others may write the file or programs may read it; it never shows what the file holds */
export const readSecretFile = ({ variable, allowed, file, maxBytes, workRoot }: SecretFile): string => {
  const refused = (reason: string): ConfigError =>
    new ConfigError([{ variable, reason: `"${file}" ${reason}`, allowed }]);
  const path = realpathSync(file);
  const { size, mode } = statSync(path);
  if (size > maxBytes) throw refused(`is larger than ${String(maxBytes)} bytes`);
  if ((mode & 0o002) !== 0) throw refused(`may be written by everybody (mode ${(mode & 0o777).toString(8)})`);
  if (isInside(realpathSync(workRoot), path))
    throw refused('lies in the work folder, where programs and their users can read it');
  return readFileSync(path, 'utf8');
};
