// Private files and folders: state, logs, passwords, sessions.
import fs from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';

/** Tightens the umask of this process and its children: no rights for others, no write access for the group. Never loosens it. */
export function keepPrivate() {
  const before = process.umask(0o027);
  process.umask(before | 0o027);
}

/** Replaces atomically a file that only its owner may read. */
export function writePrivate(file, text) {
  const partial = `${file}.${randomUUID()}`;
  try {
    fs.writeFileSync(partial, text, { mode: 0o600, flag: 'wx' });
    fs.renameSync(partial, file);
  } finally {
    fs.rmSync(partial, { force: true });
  }
}

/** Writes a private file unless it holds this text already. */
export function ensurePrivate(file, text) {
  if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) writePrivate(file, text);
}

/** Creates a folder that only its owner may enter, and closes one that an older release left open. */
export function privateFolder(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.chmodSync(folder, 0o700);
  return folder;
}

/** Returns the secret in a file; creates a missing file once, with a random secret. */
export function ensureSecret(file) {
  if (!fs.existsSync(file)) {
    const partial = `${file}.${randomUUID()}`;
    fs.writeFileSync(partial, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    try {
      fs.linkSync(partial, file);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      fs.rmSync(partial, { force: true });
    }
  }
  return fs.readFileSync(file, 'utf8').trim();
}

/** The URL of a server without login and options, for display. */
export const shownUrl = (url) => url.replace(/\/\/.*@/s, '//').replace(/\?.*$/s, '');

const secretName = /PASS|SECRET|TOKEN|CREDENTIAL|AUTH|_KEY$|_URL$/i;

/** Variables for display, without those that may be secret. */
export const shownEnvironment = (variables) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      secretName.test(name) || /\/\/[^/]*@/.test(value) ? '(not shown)' : value,
    ]),
  );
