import { Argument, type Command } from 'commander';
import { priorities } from '@fleet/contracts/launches';
import { typedBody } from '../../client/typed-body';
import type { Action, Connect } from '../../command-context';

const setPriority: Action<object> = async (context, [id = '', priority]) => {
  const body = typedBody<'POST /v1/batches/{id}/priority'>({ priority });
  const changed = await context.client.json('POST /v1/batches/{id}/priority', { path: { id }, body });
  context.print(changed, () => [`${id}: ${changed.message}`]);
};

export const addBatchPriority = (batch: Command, connect: Connect): void => {
  connect<object>(
    batch
      .command('priority')
      .summary('change the priority of rows that have not started')
      .description(
        'Every row that starts from now on gets this priority, even if the row states another one. Existing sessions keep their priority, and so may rows that are ' +
          'being started at this moment.',
      )
      .argument('<id>', 'the id of the batch')
      .addArgument(new Argument('<priority>', 'what goes first when slots are scarce').choices([...priorities]))
      .addHelpText('after', '\nExample:\n  phx batch priority 01jd7v9s6m2x4k8q0w5c3b1n7r backfill'),
    setPriority,
  );
};
