import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { openRegular, readWhole } from '@fleet/untrusted-files';

/** Maximum bytes of a checksum file. */
const maxChecksumBytes = 4 * 1024 * 1024;
const checksumsName = 'SHA256SUMS';

/**
 * SHA-256 of the whole file, in hexadecimal digits; a link is followed.
 * @throws as `openRegular`
 */
export const contentOf = async (path: string): Promise<string> => {
  const file = await openRegular(await realpath(path));
  const hash = createHash('sha256');
  for await (const bytes of file.createReadStream()) hash.update(bytes as Uint8Array);
  return hash.digest('hex');
};

const textAt = async (path: string): Promise<string | undefined> => {
  try {
    return await readWhole(path, maxChecksumBytes);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** In the format of `sha256sum`: digits, blank, blank or asterisk, name. */
const lineOf = /^([0-9a-f]{64})(?: [ *](.+))?$/i;

const checksumIn = (text: string, isIts: (name: string | undefined) => boolean): string | undefined => {
  for (const line of text.split(/\r?\n/)) {
    const [, digits, name] = lineOf.exec(line) ?? [];
    if (digits !== undefined && isIts(name)) return digits.toLowerCase();
  }
  return undefined;
};

/**
 * The checksum beside a file, in `NAME.sha256` or in `SHA256SUMS`; undefined if there is none.
 * @throws Fault `file.is_link`, `file.not_regular` or `file.too_large`
 */
export const checksumBeside = async (path: string): Promise<string | undefined> => {
  const name = basename(path);
  const own = await textAt(`${path}.sha256`);
  const listed = own ?? (await textAt(join(dirname(path), checksumsName)));
  if (listed === undefined) return undefined;
  const isIts = (stated: string | undefined): boolean =>
    stated === undefined ? own !== undefined : basename(stated) === name;
  return checksumIn(listed, isIts);
};
