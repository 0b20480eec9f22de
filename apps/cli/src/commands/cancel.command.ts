import type { Command } from 'commander';
import { isEnded } from '@fleet/contracts/sessions';
import { patiently, reconnectionOf } from '../client/session-events';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';

const pollMs = 300;

const cancel: Action<{ readonly wait?: boolean }> = async (context, [id = ''], { wait }) => {
  const { client, terminal } = context;
  let head = await client.json('POST /v1/sessions/{id}/cancel', { path: { id } });
  while (wait === true && !isEnded(head.status)) {
    await terminal.pause(pollMs);
    head = await patiently(
      client,
      () => client.json('GET /v1/sessions/{id}/status', { path: { id } }),
      reconnectionOf(terminal),
    );
  }
  context.print(head, () => [`${head.id}: ${head.status}`]);
};

export const addCancel = (program: Command, connect: Connect): void => {
  const command = program
    .command('cancel')
    .summary('cancel a session')
    .description('Cancels a session: its program is stopped with every process it started. Existing files are kept.')
    .argument('<id>', sessionArgument)
    .option('--wait', 'wait until everything it started has stopped')
    .addHelpText('after', '\nExample:\n  phx cancel 01jd7v9s6m2x4k8q0w5c3b1n7r --wait');
  connect<{ wait?: boolean }>(command, onSession(cancel));
};
