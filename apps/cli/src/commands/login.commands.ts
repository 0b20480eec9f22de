import type { Command } from 'commander';
import type { MeView, OpenAccess } from '@fleet/contracts/access';
import { plainLine } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { loadProviderLogin } from '../client/load-provider-login';
import { keyFile, loginFile } from '../client/stored-logins';
import { exitCodes, type ExitCode } from '../exit-codes';
import { logInAtProvider } from './device-login';
import type { Action, CommandContext, Connect } from '../command-context';

const namesText = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

/** Texts for a gateway with open access; an older one does not report where it listens. */
const openWords: Readonly<Record<OpenAccess, string>> = {
  'this-machine':
    'It listens on this machine only, until the first key exists (phx admin keys create) and it is restarted.',
  everybody: 'It is reachable from other machines: create the first key now (phx admin keys create).',
};

const whoLines = ({ id, role, proposals, beamlines, scopes, openAccess }: MeView): readonly string[] =>
  id === ''
    ? [
        'no user: this gateway has no keys, so anyone who can reach it has full access',
        ...(openAccess === undefined ? [] : [openWords[openAccess]]),
      ]
    : [
        `${id} (${role})`,
        ...(role === 'admin' ? [] : [`proposals: ${namesText(proposals)}`]),
        ...(beamlines.length === 0 ? [] : [`beamlines: ${namesText(beamlines)}`]),
        `may: ${namesText(scopes)}`,
      ].map(plainLine);

const whoAt = ({ client }: CommandContext, key?: string): Promise<MeView> =>
  (key === undefined ? client : client.withKey(key)).json('GET /v1/me');

const withKey = async (context: CommandContext): Promise<ExitCode> => {
  const { terminal, client } = context;
  const key = await terminal.readSecret(`API key for ${client.server}: `);
  if (!/^\S{1,200}$/.test(key))
    throw new CliError(exitCodes.usage, 'Not an API key. A key is one word that starts with "phx_".');
  const who = await whoAt(context, key);
  const file = keyFile(terminal.configFolder);
  await file.keep(client.server, key);
  await loginFile(terminal.configFolder).keep(client.server, undefined);
  context.print(who, () => [
    ...whoLines(who),
    plainLine(`The key is stored in ${file.path}, only for ${client.server}.`),
  ]);
  return exitCodes.ok;
};

const login: Action<{ readonly key?: boolean }> = async (context, _, options) => {
  if (options.key === true) return withKey(context);
  const { token, keep } = await logInAtProvider(context);
  // Credentials that the gateway rejects are not stored.
  const who = await whoAt(context, token);
  const path = await keep();
  context.print(who, () => [
    ...whoLines(who),
    plainLine(`The login is stored in ${path}, only for ${context.client.server}.`),
  ]);
  return exitCodes.ok;
};

const logout: Action<object> = async (context) => {
  const { terminal, client } = context;
  const [keys, logins] = [keyFile(terminal.configFolder), loginFile(terminal.configFolder)];
  await keys.keep(client.server, undefined);
  const stored = await logins.of(client.server);
  if (stored === undefined) {
    const note = 'The key itself is still valid until an administrator revokes it (phx admin keys revoke).';
    context.print({ server: client.server }, () => [
      plainLine(`${keys.path} contains no key for ${client.server}.`),
      note,
    ]);
    return exitCodes.ok;
  }
  try {
    await loadProviderLogin().revokeLogin(stored);
  } finally {
    // Also if the provider is unreachable, which is then reported.
    await logins.keep(client.server, undefined);
  }
  context.print({ server: client.server }, () => [
    plainLine(`The login at ${client.server} is revoked and deleted from ${logins.path}.`),
    'A copied token remains valid until it expires, which takes minutes at most providers.',
  ]);
  return exitCodes.ok;
};

const whoami: Action<object> = async (context) => {
  const who = await whoAt(context);
  context.print(who, () => whoLines(who));
};

export const addLogin = (program: Command, connect: Connect): void => {
  connect<{ readonly key?: boolean }>(
    program
      .command('login')
      .summary('log in to this gateway')
      .description(
        'Logs you in at the identity provider of this gateway: it shows a URL and a code to open in a browser on any machine. With --key it asks for an API key instead, or reads it from standard input. The login is stored in a file that only you can read, and renewed as long as the provider allows it. If FLEET_API_KEY is set, it takes precedence.',
      )
      .option('--key', 'log in with an API key')
      .addHelpText('after', '\nExample:\n  phx login\n  phx login --key < key.txt'),
    login,
  );
  connect<object>(
    program
      .command('logout')
      .summary('delete the stored login or API key of this gateway')
      .description('A login is also revoked at the provider. A key remains valid until an administrator revokes it.')
      .addHelpText('after', '\nExample:\n  phx logout'),
    logout,
  );
  connect<object>(
    program
      .command('whoami')
      .summary('show the identity, role and permissions of your login')
      .addHelpText('after', '\nExample:\n  phx whoami'),
    whoami,
  );
};
