/** What the shell is told. Part of the interface: scripts compare these. */
export const exitCodes = {
  ok: 0,
  /** The command line is wrong. */
  usage: 2,
  /** The gateway refused (4xx), the session was cancelled, or recover left folders out. */
  refused: 3,
  notFound: 4,
  /** The gateway failed (5xx) or cannot be reached. */
  server: 5,
  /** The session ended without a result. */
  scienceFailed: 6,
  /** The session ran to its end, and its result is far from what the data promise. */
  unsatisfactory: 7,
  /** Ctrl-C; the session goes on. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeHelp = `Exit codes:
  0    success; watch: the session completed
  2    invalid command line
  3    refused by the gateway; watch: the session was cancelled; recover: folders were left out
  4    no such session, cycle or file
  5    the gateway failed or cannot be reached
  6    the session failed: the agent stopped without a result
  7    the session ended with an unsatisfactory result, far from what its data allow
  130  interrupted with Ctrl-C; the session continues`;
