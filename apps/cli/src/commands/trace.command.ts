import type { Command } from 'commander';
import { traceLines } from '../output/trace-lines';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';

const trace: Action<object> = async (context, [id = '']) => {
  const view = await context.client.json('GET /v1/sessions/{id}/trace', { path: { id } });
  context.print(view, () => traceLines(view, context.paint, Date.now()));
};

export const addTrace = (program: Command, connect: Connect): void => {
  connect<object>(
    program
      .command('trace')
      .summary('show all operations of a session with their times')
      .description(
        'Shows each cycle with its decision, model requests, waits, attempts and analysis: the start, duration and outcome of each, and the cost of the requests.',
      )
      .argument('<id>', sessionArgument)
      .addHelpText('after', '\nExample:\n  phx trace 01jd7v9s6m2x4k8q0w5c3b1n7r'),
    onSession(trace),
  );
};
