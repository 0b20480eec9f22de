import { shownText } from '@fleet/session-report';
import type { Terminal } from '../terminal';

/** The control sequences of this client: its few styles, and the line that is rewritten in place. */
const escape = '\u001b';
const own = new RegExp(`(${escape}\\[(?:1|2|22|31|32|33|36|39)m|\\r${escape}\\[2K)`);

const harmless = (text: string, mayCommand: boolean): string =>
  mayCommand
    ? text
        .split(own)
        .map((part, index) => (index % 2 === 1 ? part : shownText(part, '\n\t')))
        .join('')
    : shownText(text, '\n\t');

/**
 * A terminal that shows control characters instead of executing them: titles, file names, messages and logs come from
 * other users and programs. Every text of the client passes here; bytes are written unchanged, as a file.
 */
export const guarded = (terminal: Terminal): Terminal => {
  const mayCommand = terminal.live || terminal.colors;
  return Object.assign(Object.create(terminal) as Terminal, {
    out: (text: string | Uint8Array): void =>
      terminal.out(typeof text === 'string' ? harmless(text, mayCommand) : text),
    err: (text: string): void => terminal.err(harmless(text, mayCommand)),
  });
};
