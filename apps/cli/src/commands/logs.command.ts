import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { isEnded, type CycleRecord, type Session } from '@fleet/contracts';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import { safeText } from '../output/safe-text';
import type { Action, CommandContext, Connect } from './command-context';

interface LogsOptions {
  readonly follow?: boolean;
  readonly cycle?: number;
}

const pollMs = 500;
const pieceBytes = 1024 * 1024;
/** Prints a cycle's log from its beginning; with `follow` until nothing more will come. */
const printLog = async (
  context: CommandContext,
  session: Session,
  record: CycleRecord,
  follow: boolean,
): Promise<void> => {
  const { client, json, terminal } = context;
  const base = `/v1/sessions/${session.id}/cycles/${String(record.cycle)}/log?limit=${String(pieceBytes)}`;
  for (let offset = 0; ;) {
    const response = await client.send(`${base}&offset=${String(offset)}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const next = Number(response.headers.get('x-log-next-offset'));
    if (json && bytes.length > 0) {
      const line = {
        cycle: record.cycle,
        program: record.decision.program,
        offset,
        text: new TextDecoder().decode(bytes),
      };
      terminal.out(`${JSON.stringify(line)}\n`);
    } else if (bytes.length > 0) terminal.out(terminal.live ? safeText(bytes) : bytes);
    offset = next;
    const atEnd = next >= Number(response.headers.get('x-log-size'));
    if (atEnd && (!follow || response.headers.get('x-log-complete') === 'true')) return;
    if (atEnd) await pause(pollMs, undefined, { signal: terminal.interrupted });
  }
};

const loadSession = (context: CommandContext, id: string): Promise<Session> =>
  context.client.json<Session>(`/v1/sessions/${encodeURIComponent(id)}`);

/** Follows one cycle after the other until the session has ended. */
const followSession = async (context: CommandContext, id: string): Promise<void> => {
  let session = await loadSession(context, id);
  let next = session.cycles.at(-1)?.cycle ?? 1;
  for (;;) {
    const record = session.cycles.find(({ cycle }) => cycle === next);
    if (record !== undefined && record.attempts.length > 0) {
      if (!context.json) context.terminal.err(`==> cycle ${String(next)}: ${record.decision.program} <==\n`);
      await printLog(context, session, record, true);
      next += 1;
    } else if (isEnded(session.status)) return;
    else await pause(pollMs, undefined, { signal: context.terminal.interrupted });
    session = await loadSession(context, id);
  }
};

const logs: Action<LogsOptions> = async (context, [id = ''], { follow = false, cycle }) => {
  if (follow && cycle === undefined) {
    await followSession(context, id);
    return exitCodes.ok;
  }
  const session = await loadSession(context, id);
  const started = session.cycles.filter(({ attempts }) => attempts.length > 0);
  const record = cycle === undefined ? started.at(-1) : session.cycles.find((other) => other.cycle === cycle);
  if (record === undefined) {
    const what = cycle === undefined ? 'has not run a program yet' : `has no cycle ${String(cycle)}`;
    throw new CliError(exitCodes.notFound, `Session ${id} ${what}.`);
  }
  await printLog(context, session, record, follow);
  return exitCodes.ok;
};

const readCycle = (text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not the number of a cycle.');
};

export const addLogs = (program: Command, connect: Connect): void => {
  const command = program
    .command('logs')
    .summary("print a program's output")
    .description(
      'Prints the output of the last program, or of the one of a cycle, as it is. With --json: pieces of it, one per line.',
    )
    .argument('<id>', 'the session')
    .option('-f, --follow', 'go on while it runs, and with the programs after it until the session has ended')
    .option('--cycle <number>', 'the program of this cycle', readCycle)
    .addHelpText('after', '\nExample:\n  phx logs 01jd7v9s6m2x4k8q0w5c3b1n7r -f');
  connect<LogsOptions>(command, logs);
};
