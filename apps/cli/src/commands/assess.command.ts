import type { Command } from 'commander';
import { exitCodes } from '../exit-codes';
import { assessmentLines } from '../output/assessment-lines';
import { onSession, sessionArgument, type Action, type Connect } from './command-context';

const assess: Action<object> = async (context, [id = '']) => {
  const view = await context.client.json('GET /v1/sessions/{id}/assessment', { path: { id } });
  context.print(view, () => assessmentLines(view, context.paint));
  return exitCodes.ok;
};

export const addAssess = (program: Command, connect: Connect): void => {
  connect<object>(
    program
      .command('assess')
      .summary('show what a session is worth, in five parts')
      .description(
        'Prints the quality of the input data, goal and strategy, an assessment of the strategy, where the session stands, and what to do next, as the rules see it now.',
      )
      .argument('<id>', sessionArgument)
      .addHelpText('after', '\nExample:\n  phx assess 01jd7v9s6m2x4k8q0w5c3b1n7r'),
    onSession(assess),
  );
};
