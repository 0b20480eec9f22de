import { Argument, type Command } from 'commander';
import { priorities, type BatchPriority } from '@fleet/contracts';
import { exitCodes } from '../../exit-codes';
import type { Action, Connect } from '../command-context';
import { batchAddress } from './follow-batch';

const setPriority: Action<object> = async (context, [id = '', priority]) => {
  const request = { method: 'POST', body: { priority } } as const;
  const changed = await context.client.json<BatchPriority>(`${batchAddress(id)}/priority`, request);
  context.print(changed, () => [`${id}: ${changed.message}`]);
  return exitCodes.ok;
};

export const addBatchPriority = (batch: Command, connect: Connect): void => {
  connect<object>(
    batch
      .command('priority')
      .summary('give the rows that are not sessions yet another priority')
      .description(
        'Every row that starts from now on has it, whatever the row says. Rows that are sessions already keep theirs, and so may those that are being ' +
          'started at this moment.',
      )
      .argument('<id>', 'the id of the batch')
      .addArgument(new Argument('<priority>', 'what goes first when slots are scarce').choices([...priorities]))
      .addHelpText('after', '\nExample:\n  phx batch priority 01jd7v9s6m2x4k8q0w5c3b1n7r backfill'),
    setPriority,
  );
};
