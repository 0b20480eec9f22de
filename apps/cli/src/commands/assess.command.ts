import type { Command } from 'commander';
import { assessmentLines } from '../output/written-lines';
import { printText, readSeconds, usualWaitS, type AskOptions } from './asked-text';
import { onSession, sessionArgument, type Action, type Connect } from './command-context';

const assess: Action<AskOptions> = (context, [id = ''], options) => {
  const { client, paint } = context;
  return printText(
    context,
    {
      look: () => client.json('GET /v1/sessions/{id}/assessment', { path: { id } }),
      ask: () => client.json('POST /v1/sessions/{id}/assessment', { path: { id } }),
      lines: (view) => assessmentLines(view, paint),
      command: 'phx assess',
      done: 'assessed it',
      none: 'none that assesses',
    },
    options,
  );
};

export const addAssess = (program: Command, connect: Connect): void => {
  const command = program
    .command('assess')
    .summary('show what a session is worth, in five parts')
    .description(
      'Prints the quality of the input data, goal and strategy, an assessment of the strategy, where the session stands, and what to do next: of a model, where one has written it, else as the rules see it now. Numbers of a model that are none of the session are marked. With --ask a model writes it anew; exits with 8 where none does in time, or at all.',
    )
    .argument('<id>', sessionArgument)
    .option('--ask', 'let a model write it, where the site has one for it, and wait for that')
    .option('--wait <seconds>', 'how long to wait for the model', readSeconds, usualWaitS)
    .addHelpText('after', '\nExample:\n  phx assess 01jd7v9s6m2x4k8q0w5c3b1n7r --ask');
  connect<AskOptions & Record<string, unknown>>(command, onSession(assess));
};
