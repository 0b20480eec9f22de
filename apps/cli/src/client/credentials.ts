import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import type { Terminal } from '../terminal';
import { loadProviderLogin } from './load-provider-login';
import { keyFile, loginFile, type StoredLogin } from './stored-logins';

/** Milliseconds before its end from which a token is renewed: a request takes its time. */
const beforeEndMs = 30_000;

const isGood = ({ expiresAt }: StoredLogin): boolean => expiresAt === undefined || expiresAt - beforeEndMs > Date.now();

/**
 * What requests to this gateway carry: FLEET_API_KEY, else the login at its provider, renewed where it has to be, else the key of a login.
 * The function that it gives is asked before each request; it looks into files once.
 * @throws CliError where a login has ended, or others could read it
 */
export const credentialsFor = (server: string, terminal: Terminal): (() => Promise<string | undefined>) => {
  const { apiKey, configFolder } = terminal;
  let known: Promise<StoredLogin | string | undefined> | undefined;

  const find = async (): Promise<StoredLogin | string | undefined> => {
    if (apiKey === undefined) return (await loginFile(configFolder).of(server)) ?? keyFile(configFolder).of(server);
    if (/^[\x21-\x7e]{1,8192}$/.test(apiKey)) return apiKey;
    throw new CliError(
      exitCodes.usage,
      'FLEET_API_KEY is not a key or token. Both are one word of visible ASCII characters.',
    );
  };
  const renewed = (): Promise<StoredLogin> => loadProviderLogin().renewedLogin(server, configFolder, isGood);

  return async () => {
    const found = await (known ??= find());
    if (found === undefined || typeof found === 'string') return found;
    if (isGood(found)) return found.accessToken;
    const login = renewed();
    known = login;
    return (await login).accessToken;
  };
};
