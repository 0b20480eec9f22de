import type { ExitCode } from './exit-codes';

/** An error for the person at the command line. */
export class CliError extends Error {
  override readonly name = 'CliError';
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    /** More lines below the message. */
    readonly details: readonly string[] = [],
    /** What `--json` prints instead of the lines. */
    readonly document: Readonly<Record<string, unknown>> = { detail: message },
  ) {
    super(message);
  }
}

export const isCliError = (error: unknown): error is CliError => error instanceof Error && error.name === 'CliError';
