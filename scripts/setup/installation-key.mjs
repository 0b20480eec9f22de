// The key that an installation signs its session.json files with: made once, for its owner's eyes alone, outside of the work folder.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Path of the key of the facility in this folder; makes it where there is none. Two at once agree on one. */
export function ensureInstallationKey(folder) {
  const file = path.join(folder, 'installation.key');
  if (fs.existsSync(file)) return file;
  const partial = `${file}.${process.pid}`;
  fs.writeFileSync(partial, `${crypto.randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // Unlike a rename, a link takes nobody else's key away.
    fs.linkSync(partial, file);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(partial, { force: true });
  }
  return file;
}
