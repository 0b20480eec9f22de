/** One token: bare and quoted parts without blanks between them. */
const token = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|["'\\])+/gs;
const piece = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^"'\\]+)|["'\\]/gs;

/**
 * Splits a command as a client printed it: at blanks, except inside quotes and after backslashes. For comparing and reading only, never
 * executed.
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

/** A command for people and for clients that split it like a shell; the service itself never executes a string. */
export const printCommand = (argv: readonly string[]): string =>
  argv.map((part) => (plain.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`)).join(' ');
