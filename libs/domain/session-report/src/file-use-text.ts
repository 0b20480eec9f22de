import type { FileUse } from '@fleet/contracts/sessions';
import { plainLine } from './plain-text';

/** The use of a file or why it has none, and notes, which are sentences. */
export const fileUseWords = ({ text, notes = [] }: FileUse): string =>
  notes.length === 0 ? text : `${text}. ${notes.join(' ')}`;

/** The same in one line, with its name. */
export const fileUseText = (use: FileUse): string => {
  const { path, used } = use;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return plainLine(`${name} is ${used ? 'used' : 'NOT USED:'} ${fileUseWords(use)}`);
};
