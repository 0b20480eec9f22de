// The key with which an installation signs its session.json files: created once, outside the work folder, readable by its owner only.
import path from 'node:path';
import { ensureSecret } from './private-files.mjs';

/** Returns the path of this installation's key and creates a missing one. Concurrent callers agree on one key. */
export function ensureInstallationKey(folder) {
  const file = path.join(folder, 'installation.key');
  ensureSecret(file);
  return file;
}
