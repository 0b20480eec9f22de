import type { FileUse } from '@fleet/contracts/sessions';
import { plainLine } from './plain-text';

/** The use of a submitted file, in one line: its name, its use or why it has none, and notes. */
export const fileUseText = ({ path, used, text, notes = [] }: FileUse): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return plainLine([`${name} is ${used ? 'used' : 'NOT USED:'} ${text}`, ...notes].join('. '));
};
