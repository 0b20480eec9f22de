import type { Command } from 'commander';
import { logSummaryLines } from '../output/written-lines';
import { printText, readSeconds, usualWaitS, type AskOptions } from './asked-text';
import { onSession, sessionArgument, type Action, type Connect } from './command-context';

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
    .summary('show what the log of a cycle says')
    .description(
      'Prints the outcome of the run of a finished cycle, its numbers with their lines in the log, errors and warnings: of a model, where one has written it, else as the analysis has read them. Numbers of a model that the service does not find are marked. With --ask a model writes it; exits with 8 where none does in time, or at all.',
    )
    .argument('<id>', sessionArgument)
    .argument('<cycle>', 'its number')
    .option('--ask', 'let a model write it, where the site has one for it, and wait for that')
    .option('--wait <seconds>', 'how long to wait for the model', readSeconds, usualWaitS)
    .addHelpText('after', '\nExample:\n  phx summarise-log 01jd7v9s6m2x4k8q0w5c3b1n7r 3');
  connect<AskOptions & Record<string, unknown>>(command, onSession(summarise));
};
