import type { Command, OptionValues } from 'commander';
import { sessionIdPattern } from '@fleet/contracts/sessions';
import { CliError } from './cli-error';
import { credentialsFor } from './client/credentials';
import { GatewayClient } from './client/gateway-client';
import { exitCodes, type ExitCode } from './exit-codes';
import { painter, type Paint, type Terminal } from './terminal';

/** Options of every command. */
interface GlobalOptions {
  readonly server: string;
  readonly json: boolean;
  readonly color: boolean;
}

/** The environment of a command. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly client: GatewayClient;
  readonly json: boolean;
  readonly colors: boolean;
  readonly paint: Paint;
  /** Prints the document with `--json`, otherwise the lines. */
  print(document: unknown, lines: () => readonly string[]): void;
}

/**
 * Resolves a session by its id, the beginning of its id or its title, through the gateway.
 * @throws CliError `notFound`, or `refused` with the candidates if it is ambiguous
 */
export const sessionIdOf = async ({ client }: Pick<CommandContext, 'client'>, name: string): Promise<string> => {
  if (sessionIdPattern.test(name)) return name;
  // A client would drop these from a URL.
  if (name === '' || name === '.' || name === '..')
    throw new CliError(exitCodes.notFound, `Session ${JSON.stringify(name)} not found.`);
  return (await client.json('GET /v1/sessions/{id}/status', { path: { id: name } })).id;
};

/** The default submitter; with a key the gateway knows it. */
export const submitterOf = async ({ client, terminal }: CommandContext): Promise<string | undefined> =>
  (await client.key()) === undefined ? terminal.user : undefined;

/** Runs one command; its result becomes the exit code. None: it succeeded. */
export type Action<Options> = (
  context: CommandContext,
  operands: readonly string[],
  options: Options,
) => ExitCode | Promise<ExitCode | undefined>;

/** Wraps an action whose first operand names a session: it receives the id. */
export const onSession =
  <Options>(action: Action<Options>): Action<Options> =>
  async (context, [name = '', ...others], options) =>
    action(context, [await sessionIdOf(context, name), ...others], options);

/** Help text of the session operand. */
export const sessionArgument = 'the session: its id, the first characters of its id, or its title';

/** Connects a command's action: commander calls it with operands, options and itself. */
export type Connect = <Options extends OptionValues>(command: Command, action: Action<Options>) => void;

const contextOf = ({ server, json, color }: GlobalOptions, terminal: Terminal): CommandContext => {
  const colors = color && terminal.colors;
  return {
    terminal,
    client: new GatewayClient(server, terminal.interrupted, credentialsFor(server, terminal), (line) =>
      terminal.err(line),
    ),
    json,
    colors,
    paint: painter(colors),
    print: (document, lines) => {
      const text = json ? JSON.stringify(document, null, 2) : lines().join('\n');
      if (text !== '') terminal.out(`${text}\n`);
    },
  };
};

/** @param done receives the exit code of the command that ran */
export const connector =
  (terminal: Terminal, done: (code: ExitCode) => void): Connect =>
  <Options extends OptionValues>(command: Command, action: Action<Options>): void => {
    command.action(async () => {
      const context = contextOf(command.optsWithGlobals<GlobalOptions>(), terminal);
      done((await action(context, command.args, command.opts<Options>())) ?? exitCodes.ok);
    });
  };
