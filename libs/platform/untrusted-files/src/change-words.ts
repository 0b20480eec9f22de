import { errnoOf, isFault } from '@fleet/contracts/faults';

/** Errors of opening an accepted file that show a change. */
const words: Readonly<Record<string, string>> = {
  'file.is_link': 'it has been replaced by a symbolic link since it was accepted',
  'file.not_regular': 'it is no longer a regular file',
  ENOENT: 'it no longer exists, or not where the program runs',
  ENOTDIR: 'a folder on the way to it has been replaced by a symbolic link or a file since it was accepted',
};

/**
 * How an accepted file has changed, from an error of `openUnder`, as text that follows its name; undefined for other
 * errors.
 */
export const changeOfError = (error: unknown): string | undefined =>
  words[(isFault(error) ? error.code : errnoOf(error)) ?? ''];
