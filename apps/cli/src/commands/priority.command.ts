import { Argument, type Command } from 'commander';
import { priorities } from '@fleet/contracts/launches';
import type { AnswerOf } from '@fleet/api-client';
import { isCliError, type CliError } from '../cli-error';
import { typedBody } from '../client/typed-body';
import { exitCodes } from '../exit-codes';
import { sessionArgument, sessionIdOf, type Action, type Connect } from '../command-context';

type Changed = AnswerOf<'POST /v1/sessions/{id}/priority'>;

/** A refused session does not affect the others. The exit code is that of the first refusal. */
const setPriority: Action<object> = async (context, [priority, ...names]) => {
  const { client, terminal } = context;
  const body = typedBody<'POST /v1/sessions/{id}/priority'>({ priority });
  const changed: Changed[] = [];
  const refused: CliError[] = [];
  for (const name of names) {
    try {
      const id = await sessionIdOf(context, name);
      changed.push(await client.json('POST /v1/sessions/{id}/priority', { path: { id }, body }));
    } catch (error) {
      const isOfOne = isCliError(error) && error.exitCode !== exitCodes.server;
      if (!isOfOne || names.length === 1) throw error;
      refused.push(error);
      terminal.err(`phx: ${name}: ${[error.message, ...error.details].join('\n  ')}\n`);
    }
  }
  context.print(changed, () => changed.map(({ id, request }) => `${id}: priority ${request.priority}`));
  return refused[0]?.exitCode ?? exitCodes.ok;
};

export const addPriority = (program: Command, connect: Connect): void => {
  connect<object>(
    program
      .command('priority')
      .summary('change the priority of running sessions')
      .description(
        'A waiting program gets another position in the queue. A running program is not affected. The priority live must be allowed for the ' +
          'proposal, or for the beamline of the session.',
      )
      .addArgument(new Argument('<priority>', 'what goes first when slots are scarce').choices([...priorities]))
      .argument('<id...>', `${sessionArgument}; several sessions are changed in turn`)
      .addHelpText('after', '\nExample:\n  phx priority backfill 01jd7v9s6m2x4k8q0w5c3b1n7r 01jd8w'),
    setPriority,
  );
};
