/** One token: bare pieces and quoted pieces without blanks between them. */
const token = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|["'\\])+/gs;
const piece = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^"'\\]+)|["'\\]/gs;

/**
 * Tokens of a command as a client printed it: blanks part them, quotes and backslashes keep them together. For comparing and reading,
 * nothing is run from it.
 */
export const splitCommand = (command: string): readonly string[] =>
  (command.match(token) ?? []).map((found) =>
    found.replaceAll(
      piece,
      (all, double?: string, single?: string, escaped?: string) =>
        double?.replaceAll(/\\(.)/gs, '$1') ?? single ?? escaped ?? all,
    ),
  );

const plain = /^[\w./+,:=@%~^-]+$/;

/** A command for people and for clients that split it like a shell; the service itself never runs a string. */
export const printCommand = (argv: readonly string[]): string =>
  argv.map((part) => (plain.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`)).join(' ');
