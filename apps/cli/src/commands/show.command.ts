import type { Command } from 'commander';
import type { Session } from '@fleet/contracts';
import type { MetricDefinitions, MetricsView } from '@fleet/session-report';
import { exitCodes } from '../exit-codes';
import { sessionLines } from '../output/session-lines';
import { onSession, sessionArgument, type Action, type Connect } from './command-context';

const show: Action<{ readonly detail?: boolean }> = async (context, [id = ''], { detail = false }) => {
  const session = await context.client.json<Session>(`/v1/sessions/${encodeURIComponent(id)}`);
  const definitions: MetricDefinitions = context.json
    ? {}
    : (await context.client.json<MetricsView>('/v1/metrics')).metrics;
  context.print(session, () => sessionLines(session, { detail, definitions, paint: context.paint, now: Date.now() }));
  return exitCodes.ok;
};

export const addShow = (program: Command, connect: Connect): void => {
  const command = program
    .command('show')
    .summary('show a session')
    .description('Shows the status of a session, one line per cycle, and why it ended. With --json: the whole record.')
    .argument('<id>', sessionArgument)
    .option('--detail', 'show each cycle with its decision, command, attempts, metrics and files')
    .addHelpText('after', '\nExample:\n  phx show 01jd7v9s6m2x4k8q0w5c3b1n7r --detail');
  connect<{ detail?: boolean }>(command, onSession(show));
};
