import type { Command } from 'commander';
import { assessmentLines } from '../output/written-lines';
import { printText, readSeconds, usualWaitS, type AskOptions } from './written-text';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';

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
    .summary('show the assessment of a session in five parts')
    .description(
      'Prints the quality of the input data, goal and strategy, an assessment of the strategy, the state of the session, and the recommended next step. The text is that of a model if one has written it, otherwise that of the rules. Numbers in a model text that are not in the session are marked. With --ask a model writes a new text. Exits with 8 if no model answers in time.',
    )
    .argument('<id>', sessionArgument)
    .option('--ask', 'ask a model of the site for the text, and wait for it')
    .option('--wait <seconds>', 'how long to wait for the model', readSeconds, usualWaitS)
    .addHelpText('after', '\nExample:\n  phx assess 01jd7v9s6m2x4k8q0w5c3b1n7r --ask');
  connect<AskOptions & Record<string, unknown>>(command, onSession(assess));
};
