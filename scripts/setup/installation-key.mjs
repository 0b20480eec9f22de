// The key that an installation signs its session.json files with: made once, for its owner's eyes alone, outside of the work folder.
import path from 'node:path';
import { ensureSecret } from './private-files.mjs';

/** Path of the key of the installation in this folder; makes it where there is none. Two at once agree on one. */
export function ensureInstallationKey(folder) {
  const file = path.join(folder, 'installation.key');
  ensureSecret(file);
  return file;
}
