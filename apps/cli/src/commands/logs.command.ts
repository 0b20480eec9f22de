import { InvalidArgumentError, type Command } from 'commander';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import { followSession, loadSession, recordOf } from '../logs/follow-session';
import { printLog } from '../logs/print-log';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';

interface LogsOptions {
  readonly follow?: boolean;
  readonly cycle?: number;
}

/** @throws CliError `notFound` if there is no such cycle, or no program has run */
const recordToPrint = (session: Session, cycle: number | undefined): CycleRecord => {
  const started = session.cycles.filter(({ attempts }) => attempts.length > 0);
  const record = cycle === undefined ? started.at(-1) : recordOf(session, cycle);
  if (record !== undefined) return record;
  const what = cycle === undefined ? 'has not run a program yet' : `has no cycle ${String(cycle)}`;
  throw new CliError(exitCodes.notFound, `Session ${session.id} ${what}.`);
};

const logs: Action<LogsOptions> = async (context, [id = ''], { follow = false, cycle }) => {
  if (follow && cycle === undefined) {
    await followSession(context, id, undefined);
    return exitCodes.ok;
  }
  const { cycle: number, decision, attempts } = recordToPrint(await loadSession(context, id), cycle);
  if (follow) await followSession(context, id, number);
  else
    await printLog(context, id, { cycle: number, program: decision.program, attempt: attempts.at(-1)?.attempt ?? 1 });
  return exitCodes.ok;
};

const readCycle = (text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a cycle number.');
};

export const addLogs = (program: Command, connect: Connect): void => {
  const command = program
    .command('logs')
    .summary("print a program's output")
    .description(
      'Prints the output of the last program, or of the program of one cycle, unchanged. With --json: chunks of it, one per line.',
    )
    .argument('<id>', sessionArgument)
    .option(
      '-f, --follow',
      'follow the output while the program runs, then that of the next programs until the session ends',
    )
    .option('--cycle <number>', 'the output of this cycle', readCycle)
    .addHelpText('after', '\nExample:\n  phx logs 01jd7v9s6m2x4k8q0w5c3b1n7r -f');
  connect<LogsOptions>(command, onSession(logs));
};
