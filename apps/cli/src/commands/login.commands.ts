import type { Command } from 'commander';
import type { MeView, OpenTo } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { storeKey } from '../client/key-file';
import { exitCodes } from '../exit-codes';
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
  client.json<MeView>('/v1/me', key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } });

const login: Action<{ readonly key?: boolean }> = async (context, _, options) => {
  const { terminal, client } = context;
  if (options.key !== true)
    throw new CliError(exitCodes.usage, 'Say how to log in: phx login --key asks for an API key.');
  const key = await terminal.readSecret(`API key for ${client.server}: `);
  if (!/^\S{1,200}$/.test(key))
    throw new CliError(exitCodes.usage, 'That is no key: it is one word that begins with "phx_".');
  const who = await whoAt(context, key);
  const path = await storeKey(terminal.configFolder, client.server, key);
  context.print(who, () => [...whoLines(who), plainLine(`The key is kept in ${path}, for ${client.server} alone.`)]);
  return exitCodes.ok;
};

const logout: Action<object> = async (context) => {
  const { terminal, client } = context;
  const path = await storeKey(terminal.configFolder, client.server, undefined);
  const note = 'The key itself is still valid: an administrator revokes it (phx admin keys revoke).';
  context.print({ server: client.server }, () => [plainLine(`${path} holds no key for ${client.server}.`), note]);
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
      .summary('keep an API key for this gateway')
      .description(
        'Asks for the key, or reads it from standard input, checks it with the gateway and keeps it in a file that only you can read. FLEET_API_KEY, where it is set, is used instead.',
      )
      .option('--key', 'log in with an API key')
      .addHelpText('after', '\nExample:\n  phx login --key < key.txt'),
    login,
  );
  connect<object>(
    program
      .command('logout')
      .summary('forget the API key of this gateway')
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
