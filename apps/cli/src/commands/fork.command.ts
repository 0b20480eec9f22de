import { InvalidArgumentError, type Command } from 'commander';
import type { Verbosity } from '@fleet/contracts/sessions';
import { forkText, guidanceSentences } from '@fleet/session-report';
import { sendKeyed } from '../client/send-submission';
import { typedBody } from '../client/typed-body';
import { exitCodes } from '../exit-codes';
import { watchSession } from '../watch/watch-session';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';
import {
  priorityOption,
  readInstructions,
  readLigands,
  withInstructions,
  withLigands,
  type InstructionOptions,
  type LigandOptions,
} from '../read-options';
import { readKey } from './submit.command';
import { verbosityOption } from './verbosity-option';

interface ForkOptions extends InstructionOptions, LigandOptions {
  readonly title?: string;
  readonly priority?: string;
  readonly idempotencyKey?: string;
  readonly watch?: boolean;
  readonly verbosity: Verbosity;
}

const fork: Action<ForkOptions> = async (context, [id = '', cycle = ''], options) => {
  const { client, terminal, json, colors } = context;
  const { title, priority, idempotencyKey: key = crypto.randomUUID() } = options;
  // Undefined members are not sent.
  const body = {
    cycle: Number(cycle),
    ligands: readLigands(options),
    ...(await readInstructions(options, terminal.cwd)),
    title,
    priority,
  };
  const given = { path: { id }, body: typedBody<'POST /v1/sessions/{id}/fork'>(body) };
  const session = await sendKeyed(
    (sending) => client.json('POST /v1/sessions/{id}/fork', given, sending),
    key,
    client.interrupted,
  );
  if (options.watch === true)
    return watchSession(client, session.id, { json, colors, verbosity: options.verbosity }, terminal);
  context.print(session, () => [
    session.id,
    `Forked from ${forkText(session.request) ?? id}`,
    ...(session.guidance === undefined ? [] : guidanceSentences(session.guidance)),
    `Watch it with: phx watch ${session.id}`,
  ]);
  return exitCodes.ok;
};

const readCycle = (text: string): string => {
  if (/^[1-9]\d{0,4}$/.test(text)) return text;
  throw new InvalidArgumentError('Expected a cycle number from 1.');
};

export const addFork = (program: Command, connect: Connect): void => {
  const command = withInstructions(withLigands(program.command('fork')))
    .summary('start a new session from a cycle of another one')
    .description(
      'Starts a new session that continues after a cycle of another one, with different advice or settings. The original session is not changed and may still be running. The files of the copied cycles are in the folder of the new session. New advice, directives and ligands replace the old ones, and each new setting replaces its old value.',
    )
    .argument('<id>', sessionArgument)
    .argument('<cycle>', 'the last cycle to copy, which must be finished', readCycle)
    .option('--title <text>', 'title (default: that of the original session)')
    .addOption(priorityOption('what goes first when slots are scarce (default: that of the other session)'))
    .option(
      '--idempotency-key <key>',
      'repeating a call with the same key and options returns the same session (default: a new key)',
      readKey,
    )
    .option('--watch', 'follow the session; the exit code says how it ended')
    .addOption(verbosityOption())
    .addHelpText(
      'after',
      '\nExample:\n  phx fork 01jd7v9s6m2x4k8q0w5c3b1n7r 3 --advice "place the ligand first" --watch\n  phx fork 01jd7v 2 --set max_refine_cycles=6',
    );
  connect<ForkOptions>(command, onSession(fork));
};
