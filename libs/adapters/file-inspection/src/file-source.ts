import type { FileHandle } from 'node:fs/promises';
import { errnoOf, Fault, isFault } from '@fleet/contracts/faults';
import type { FilePin } from '@fleet/contracts/sessions';
import { identityOf, openRegular, openUnder, pinOf, type FileIdentity } from '@fleet/untrusted-files';

/** One regular file, open during its inspection. */
export interface FileSource {
  readonly path: string;
  /** Its identity when it was opened. */
  readonly identity: FileIdentity;
  /** Identifies the file later; undefined if no root folder was given. */
  pin(): Promise<FilePin | undefined>;
}

export type FileFaultCode =
  | 'missing'
  | 'empty'
  | 'unreadable'
  | 'not_regular'
  | 'is_link'
  | 'corrupt'
  | 'compressed'
  | 'unknown_format'
  | 'too_complex'
  | 'inspection_timeout'
  | 'inspection_failed';

const allowedText: Readonly<Record<FileFaultCode, string>> = {
  missing: 'the path of an existing file',
  empty: 'a file with content',
  unreadable: 'a file that the service may read',
  not_regular: 'a regular file, not a folder, pipe, socket or device',
  is_link: 'the file itself: links are not followed',
  corrupt: 'a complete file of its format',
  compressed: 'the unpacked file (gunzip, bunzip2, unxz, unzstd or unzip)',
  unknown_format: 'a file of a known format',
  too_complex: 'a file of usual extent',
  inspection_timeout: 'a file whose beginning can be read in that time; look whether it is what its name says',
  inspection_failed: 'a complete file of its format; if it is one, tell the operators',
};

/** A Fault of kind caller with the path, the reason and what is allowed. */
export const fileFault = (
  code: FileFaultCode,
  path: string,
  reason: string,
  { cause, allowed = allowedText[code] }: { readonly cause?: unknown; readonly allowed?: string } = {},
): Fault =>
  new Fault(`file.${code}`, 'caller', `${path}: ${reason}`, {
    problems: [{ field: path, reason, allowed }],
    ...(cause === undefined ? {} : { cause }),
  });

const missingCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

const translate = (path: string, error: unknown): Fault => {
  const code = errnoOf(error) ?? 'unknown';
  if (code === 'file.is_link') return fileFault('is_link', path, 'it is a symbolic link', { cause: error });
  if (isFault(error)) return fileFault('not_regular', path, 'it is a folder, pipe, socket or device', { cause: error });
  if (missingCodes.has(code)) return fileFault('missing', path, 'there is no such file', { cause: error });
  return fileFault('unreadable', path, `it cannot be read (${code})`, { cause: error });
};

const attempt = async <T>(path: string, action: () => Promise<T>): Promise<T> => {
  try {
    return await action();
  } catch (error) {
    throw translate(path, error);
  }
};

/** @throws Fault `file.unreadable` if the file was written to since it was opened */
const pinSame = async (path: string, handle: FileHandle, opened: FileIdentity): Promise<FilePin> => {
  const pin = await attempt(path, () => pinOf(handle));
  const after = await attempt(path, () => identityOf(handle));
  if ([pin, after].every(({ size, modified }) => size === opened.size && modified === opened.modified)) return pin;
  throw fileFault('unreadable', path, 'it was modified while it was being read; try again once it no longer changes');
};

/**
 * Opens a file, passes it to `use` and closes it. Follows no link and does not block on a pipe.
 * @param root folder below which it is opened, so that no folder on the path can be a link either, and pinned; absent:
 *   neither
 * @throws Fault `file.missing`, `file.unreadable`, `file.not_regular`, `file.is_link`, `file.empty`.
 */
export const withFile = async <T>(path: string, use: (source: FileSource) => Promise<T>, root?: string): Promise<T> => {
  const handle = await attempt(path, () => (root === undefined ? openRegular(path) : openUnder(root, path)));
  try {
    const identity = await attempt(path, () => identityOf(handle));
    if (identity.size === 0) throw fileFault('empty', path, 'it is empty');
    const pin = async (): Promise<FilePin | undefined> =>
      root === undefined ? undefined : pinSame(path, handle, identity);
    return await use({ path, identity, pin });
  } finally {
    await handle.close();
  }
};
