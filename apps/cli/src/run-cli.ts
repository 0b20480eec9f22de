import { CommanderError } from 'commander';
import { isCliError } from './cli-error';
import { exitCodes, type ExitCode } from './exit-codes';
import { guarded } from './output/guarded-terminal';
import { buildProgram } from './program';
import { commandReference } from './reference';
import type { Terminal } from './terminal';

const report = (error: unknown, json: boolean, terminal: Terminal): ExitCode => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (terminal.interrupted.aborted) return exitCodes.interrupted;
  if (!isCliError(error)) throw error;
  if (json) terminal.err(`${JSON.stringify(error.document, null, 2)}\n`);
  else terminal.err([`phx: ${error.message}`, ...error.details.map((line) => `  ${line}`), ''].join('\n'));
  return error.exitCode;
};

/**
 * Runs one command line.
 * @param args the words after `phx`
 * @returns the exit code
 */
export const runCli = async (args: readonly string[], given: Terminal): Promise<ExitCode> => {
  const terminal = guarded(given);
  let code: ExitCode = exitCodes.ok;
  const program = buildProgram(terminal, (ended) => {
    code = ended;
  });
  if (args[0] === '--reference') {
    terminal.out(commandReference(program));
    return exitCodes.ok;
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return report(error, program.opts<{ json: boolean }>().json, terminal);
  }
};
