import { exitCodes, type ExitCode } from './exit-codes';

/** An error message for the user of the command line. */
export class CliError extends Error {
  override readonly name = 'CliError';
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    /** More lines below the message. */
    readonly details: readonly string[] = [],
    /** Printed by `--json` instead of the lines. */
    readonly document: Readonly<Record<string, unknown>> = { detail: message },
  ) {
    super(message);
  }
}

export const isCliError = (error: unknown): error is CliError => error instanceof Error && error.name === 'CliError';

const plainReasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'is not readable for you',
  EISDIR: 'is a folder',
  ENOTDIR: 'is below a path that is not a folder',
};

/** An unreadable file or option, in plain words; `what` names it. */
export const unreadable = (what: string, error: unknown): CliError => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError(exitCodes.usage, `${what} ${plainReasons[code] ?? `cannot be read: ${reason}`}.`);
};
