/** An invalid variable: its name, the reason, and what is allowed. */
export interface ConfigProblem {
  readonly variable: string;
  readonly reason: string;
  readonly allowed?: string;
}

/** sysexits.h EX_CONFIG: shows a supervisor that a restart without a change is useless. */
export const CONFIG_EXIT_CODE = 78;

/** The environment is invalid. Names every invalid variable, never the value of a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly ConfigProblem[]) {
    super(['The configuration is not usable:', ...problems.map(describe)].join('\n'));
  }
}

const describe = ({ variable, reason, allowed }: ConfigProblem): string =>
  `  ${variable}: ${reason}${allowed === undefined ? '' : ` (allowed: ${allowed})`}`;

/** By name, because `instanceof` fails between two copies of a package. */
export const isConfigError = (error: unknown): error is ConfigError =>
  error instanceof Error && error.name === 'ConfigError';
