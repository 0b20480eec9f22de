import { errnoOf, isFault } from '@fleet/contracts/faults';

/** What opening an accepted file says that is not what it was. */
const words: Readonly<Record<string, string>> = {
  'file.is_link': 'it has been replaced by a symbolic link since it was accepted',
  'file.not_regular': 'it is no longer a regular file',
  ENOENT: 'it no longer exists, or not where the program runs',
  ENOTDIR: 'a folder on the way to it has been replaced by a symbolic link or a file since it was accepted',
};

/** Why an accepted file is not what it was, of an error of `openUnder`, in words that follow its name; undefined for other troubles. */
export const changeOfError = (error: unknown): string | undefined =>
  words[(isFault(error) ? error.code : errnoOf(error)) ?? ''];
