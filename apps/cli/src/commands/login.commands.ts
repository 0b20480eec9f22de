import type { Command } from 'commander';
import type { MeView, OpenTo } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { loadProviderLogin } from '../client/load-provider-login';
import { keyFile, loginFile } from '../client/stored-logins';
import { exitCodes, type ExitCode } from '../exit-codes';
import { logInAtProvider } from './device-login';
import type { Action, CommandContext, Connect } from './command-context';

const namesText = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

/** What a gateway without keys says of itself; an older one does not say where it listens. */
const openWords: Readonly<Record<OpenTo, string>> = {
  'this-machine':
    'It listens on this machine alone, until the first key is made (phx admin keys create) and it is started again.',
  everybody: 'It listens on more than this machine: make the first key now (phx admin keys create).',
};

const whoLines = ({ id, role, proposals, beamlines, scopes, openTo }: MeView): readonly string[] =>
  id === ''
    ? [
        'nobody in particular: this gateway has no keys, and everybody who reaches it may do everything',
        ...(openTo === undefined ? [] : [openWords[openTo]]),
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
    throw new CliError(exitCodes.usage, 'That is not a key: it is one word that begins with "phx_".');
  const who = await whoAt(context, key);
  const file = keyFile(terminal.configFolder);
  await file.keep(client.server, key);
  await loginFile(terminal.configFolder).keep(client.server, undefined);
  context.print(who, () => [
    ...whoLines(who),
    plainLine(`The key is kept in ${file.path}, for ${client.server} alone.`),
  ]);
  return exitCodes.ok;
};

const login: Action<{ readonly key?: boolean }> = async (context, _, options) => {
  if (options.key === true) return withKey(context);
  const { token, keep } = await logInAtProvider(context);
  // What the gateway does not take is not kept.
  const who = await whoAt(context, token);
  const path = await keep();
  context.print(who, () => [
    ...whoLines(who),
    plainLine(`The login is kept in ${path}, for ${context.client.server} alone.`),
  ]);
  return exitCodes.ok;
};

const logout: Action<object> = async (context) => {
  const { terminal, client } = context;
  const [keys, logins] = [keyFile(terminal.configFolder), loginFile(terminal.configFolder)];
  await keys.keep(client.server, undefined);
  const kept = await logins.of(client.server);
  if (kept === undefined) {
    const note = 'The key itself is still valid: an administrator revokes it (phx admin keys revoke).';
    context.print({ server: client.server }, () => [
      plainLine(`${keys.path} holds no key for ${client.server}.`),
      note,
    ]);
    return exitCodes.ok;
  }
  try {
    await loadProviderLogin().revokeLogin(kept);
  } finally {
    // Also where the provider cannot be asked, which is then told.
    await logins.keep(client.server, undefined);
  }
  context.print({ server: client.server }, () => [
    plainLine(`The login at ${client.server} is taken back, and ${logins.path} no longer holds it.`),
    'A token that was copied elsewhere opens the gateway until it ends, within minutes at most providers.',
  ]);
  return exitCodes.ok;
};

const whoami: Action<object> = async (context) => {
  const who = await whoAt(context);
  context.print(who, () => whoLines(who));
  return exitCodes.ok;
};

export const addLogin = (program: Command, connect: Connect): void => {
  connect<{ readonly key?: boolean }>(
    program
      .command('login')
      .summary('log in at this gateway')
      .description(
        'Logs you in at the identity provider of this gateway: it shows an address and a code to open in a browser, on any machine. With --key it asks for an API key instead, or reads it from standard input. What the gateway takes is kept in a file that only you can read, and renewed while the provider lets it be. FLEET_API_KEY, where it is set, is used instead.',
      )
      .option('--key', 'log in with an API key')
      .addHelpText('after', '\nExample:\n  phx login\n  phx login --key < key.txt'),
    login,
  );
  connect<object>(
    program
      .command('logout')
      .summary('forget the login or API key of this gateway')
      .description(
        'A login is taken back at the provider as well; a key stays valid until an administrator revokes it.',
      )
      .addHelpText('after', '\nExample:\n  phx logout'),
    logout,
  );
  connect<object>(
    program
      .command('whoami')
      .summary('show who you are to the gateway')
      .addHelpText('after', '\nExample:\n  phx whoami'),
    whoami,
  );
};
