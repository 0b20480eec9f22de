import { plainLine } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { loadProviderLogin } from '../client/load-provider-login';
import { keyFile, loginFile } from '../client/stored-logins';
import { exitCodes } from '../exit-codes';
import type { CommandContext } from '../command-context';

/**
 * Logs a user in at the provider of this gateway.
 * @returns their token, and a function that stores the login and returns its path
 */
export const logInAtProvider = async ({
  client,
  terminal,
}: CommandContext): Promise<{ readonly token: string; readonly keep: () => Promise<string> }> => {
  const { provider } = await client.withKey('').json('GET /v1/identity');
  const device = provider?.device;
  if (provider === undefined || device === undefined)
    throw new CliError(
      exitCodes.usage,
      `${client.server} has no identity provider for phx logins. Log in with an API key: phx login --key.`,
    );
  const login = await loadProviderLogin().deviceLogin(
    { issuer: provider.issuer, ...device },
    ({ verificationUrl, code, completeUrl }) => {
      const lines = [
        `To log in at ${client.server}, open ${verificationUrl} in a browser, on any machine, and enter the code ${code}`,
        ...(completeUrl === undefined ? [] : [`or open ${completeUrl}`]),
        `Continue there only if ${new URL(client.server).host} is the gateway that you want. Waiting …`,
      ];
      terminal.err(`${lines.map(plainLine).join('\n')}\n`);
    },
    terminal.interrupted,
  );
  const keep = async (): Promise<string> => {
    const file = loginFile(terminal.configFolder);
    await file.keep(client.server, login);
    await keyFile(terminal.configFolder).keep(client.server, undefined);
    return file.path;
  };
  return { token: login.accessToken, keep };
};
