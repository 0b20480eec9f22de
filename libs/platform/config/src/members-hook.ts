import { ConfigError, type ConfigProblem } from './config.error';
import type { AccessConfig } from './access-sections';
import { readSecretFile } from './secret-file';

/** Connection to the user office's HTTP API for proposal members. */
interface MembersHookSettings {
  readonly url: string;
  readonly token?: string;
  readonly freshMs: number;
}

const tokenFile = {
  variable: 'FLEET_PROPOSAL_MEMBERS_TOKEN_FILE',
  allowed: 'a file with one line of visible ASCII characters, readable by its owner only, outside the work folder',
  maxBytes: 8192,
} as const;

const readToken = (file: string, workRoot: string): string => {
  const token = readSecretFile({ ...tokenFile, file, workRoot }).trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  const reason = `"${file}" contains no token; its content is not shown`;
  throw new ConfigError([{ variable: tokenFile.variable, reason, allowed: tokenFile.allowed }]);
};

/**
 * The user office's HTTP API; undefined if there is none.
 * @param given the file with the same content, if any, and the absolute work folder
 * @throws ConfigError with all problems
 */
export const membersHookOf = (
  { membersUrl: url, membersTokenFile, membersFreshS }: AccessConfig,
  { file, workRoot }: { readonly file: string | undefined; readonly workRoot: string },
): MembersHookSettings | undefined => {
  const problems: ConfigProblem[] = [];
  if (url !== undefined && file !== undefined)
    problems.push({
      variable: 'FLEET_PROPOSAL_MEMBERS_URL',
      reason: 'is set, and so is FLEET_PROPOSAL_MEMBERS_FILE: set only one',
      allowed: 'one of the two',
    });
  if (url === undefined && membersTokenFile !== undefined)
    problems.push({
      variable: tokenFile.variable,
      reason: 'is set, and FLEET_PROPOSAL_MEMBERS_URL is not: set both or none',
    });
  if (problems.length > 0) throw new ConfigError(problems);
  if (url === undefined) return undefined;
  const token = membersTokenFile === undefined ? undefined : readToken(membersTokenFile, workRoot);
  return { url, freshMs: membersFreshS * 1000, ...(token !== undefined && { token }) };
};
