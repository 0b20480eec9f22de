import type { Command, OptionValues } from 'commander';
import { GatewayClient } from '../client/gateway-client';
import type { ExitCode } from '../exit-codes';
import { painter, type Paint, type Terminal } from '../terminal';

/** Options that every command knows. */
interface GlobalOptions {
  readonly server: string;
  readonly json: boolean;
  readonly color: boolean;
}

/** What a command works with. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly client: GatewayClient;
  readonly json: boolean;
  readonly colors: boolean;
  readonly paint: Paint;
  /** Prints a document with `--json`, else the lines. */
  print(document: unknown, lines: () => readonly string[]): void;
}

/** Runs one command; its result becomes the exit code. */
export type Action<Options> = (
  context: CommandContext,
  operands: readonly string[],
  options: Options,
) => Promise<ExitCode>;

/** Connects a command's action: commander calls it with operands, options and itself. */
export type Connect = <Options extends OptionValues>(command: Command, action: Action<Options>) => void;

const contextOf = ({ server, json, color }: GlobalOptions, terminal: Terminal): CommandContext => {
  const colors = color && terminal.colors;
  return {
    terminal,
    client: new GatewayClient(server, terminal.interrupted),
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
      const code = await action(context, command.args, command.opts<Options>());
      done(code);
    });
  };
