import type { Command } from 'commander';
import { logSummaryLines } from '../output/written-lines';
import { printText, readSeconds, usualWaitS, type AskOptions } from './written-text';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';

const summarise: Action<AskOptions> = (context, [id = '', cycle = ''], options) => {
  const { client, paint } = context;
  const path = { id, cycle };
  return printText(
    context,
    {
      look: () => client.json('GET /v1/sessions/{id}/cycles/{cycle}/log-summary', { path }),
      ask: () => client.json('POST /v1/sessions/{id}/cycles/{cycle}/log-summary', { path }),
      lines: (view) => logSummaryLines(view, paint),
      command: 'phx summarise-log',
      done: 'summed it up',
      none: 'none that sums up logs',
    },
    options,
  );
};

export const addSummariseLog = (program: Command, connect: Connect): void => {
  const command = program
    .command('summarise-log')
    .summary('show a summary of the log of a cycle')
    .description(
      'Prints the outcome of a finished cycle, its numbers with their lines in the log, errors and warnings. The text is that of a model if one has written it, otherwise that of the analysis. Numbers in a model text that are not in the log are marked. With --ask a model writes the text. Exits with 8 if no model answers in time.',
    )
    .argument('<id>', sessionArgument)
    .argument('<cycle>', 'number of the cycle')
    .option('--ask', 'ask a model of the site for the text, and wait for it')
    .option('--wait <seconds>', 'how long to wait for the model', readSeconds, usualWaitS)
    .addHelpText('after', '\nExample:\n  phx summarise-log 01jd7v9s6m2x4k8q0w5c3b1n7r 3');
  connect<AskOptions & Record<string, unknown>>(command, onSession(summarise));
};
