import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import type { Terminal } from '../terminal';
import { loadProviderLogin } from './load-provider-login';
import { keyFile, loginFile, type StoredLogin } from './stored-logins';

/** A token is renewed this many milliseconds before it expires, because a request takes time. */
const beforeEndMs = 30_000;

const isGood = ({ expiresAt }: StoredLogin): boolean => expiresAt === undefined || expiresAt - beforeEndMs > Date.now();

/**
 * Credentials for requests to this gateway: FLEET_API_KEY, otherwise the login at its provider, renewed if necessary,
 * otherwise the stored key. The returned function is called before each request; it reads the files once.
 * @throws CliError if a login has ended, or other users could read it
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
