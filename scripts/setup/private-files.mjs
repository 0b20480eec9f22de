// Files and folders that are nobody else's business: state, logs, passwords, sessions.
import fs from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';

/** From here on this process, and what it starts, takes all rights from others and the right to write from the group; never gives any. */
export function keepPrivate() {
  const before = process.umask(0o027);
  process.umask(before | 0o027);
}

/** Replaces a file, whole, that its owner alone may read. */
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

/** A folder that its owner alone may enter, also where an older release left it open. */
export function privateFolder(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.chmodSync(folder, 0o700);
  return folder;
}

/** The secret that a file holds; made, once and at random, where there is none. */
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

/** The URL of a server without login and without options, for people to read. */
export const shownUrl = (url) => url.replace(/\/\/.*@/s, '//').replace(/\?.*$/s, '');

const secretName = /PASS|SECRET|TOKEN|CREDENTIAL|AUTH|_KEY$|_URL$/i;

/** Variables for people to read: what may be a secret is left out. */
export const shownEnvironment = (variables) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      secretName.test(name) || /\/\/[^/]*@/.test(value) ? '(not shown)' : value,
    ]),
  );
