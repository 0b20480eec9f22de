import type { SessionOutcome } from '@fleet/contracts/sessions';

/** Exit codes for the shell. Part of the interface: scripts compare these. */
export const exitCodes = {
  ok: 0,
  /** The command line is wrong. */
  usage: 2,
  /** The gateway rejected the request (4xx), the session was cancelled, or recover skipped folders. */
  refused: 3,
  notFound: 4,
  /** The gateway failed (5xx) or is unreachable. */
  server: 5,
  /** The session found no structure solution. */
  scienceFailed: 6,
  /** The session completed, but its result is far below the quality of the data. */
  unsatisfactory: 7,
  /**
   * The machine or the service failed, not the session's science; the doctor found an error; or no model has written
   * the requested text.
   */
  infrastructureFailed: 8,
  /** Ctrl-C; the session continues. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code for the outcome of a session. */
export const exitCodeOf: Readonly<Record<SessionOutcome, ExitCode>> = {
  solved: exitCodes.ok,
  goal_reached: exitCodes.ok,
  unfinished: exitCodes.ok,
  unknown: exitCodes.ok,
  unsatisfactory: exitCodes.unsatisfactory,
  failed_science: exitCodes.scienceFailed,
  failed_infrastructure: exitCodes.infrastructureFailed,
  rejected: exitCodes.refused,
  cancelled: exitCodes.refused,
};

export const exitCodeHelp = `Exit codes:
  0    success; watch: the session is solved, did what was requested, or ended without an error
  2    invalid command line
  3    refused by the gateway; watch: the session was cancelled, or nothing could be run with what was submitted;
       recover: folders were left out
  4    no such session, cycle or file
  5    the gateway failed or cannot be reached
  6    the session failed: no way to a structure was found
  7    the session ended with an unsatisfactory result, far from what its data allow
  8    the session failed because the machine or the service did, the data are not the cause; doctor: an error was found;
       assess --ask, summarise-log --ask: no model has answered
  130  interrupted with Ctrl-C; the session continues`;
