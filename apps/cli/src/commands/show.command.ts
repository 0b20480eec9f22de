import type { Command } from 'commander';
import type { QueueStatusAnswer } from '@fleet/contracts/launches';
import type { SessionRetention } from '@fleet/contracts/retention';
import { currentCycle, isEnded, type Session } from '@fleet/contracts/sessions';
import type { MetricDefinitions } from '@fleet/session-report';
import { sessionLines } from '../output/session-lines';
import { onSession, sessionArgument, type Action, type CommandContext, type Connect } from '../command-context';
import { announcing } from './maintenance-notice';

/** The queue status of a waiting program; only requested if it waits. */
const queueStatusOf = async ({ client }: CommandContext, session: Session): Promise<QueueStatusAnswer> =>
  session.status === 'running' && currentCycle(session)?.waiting !== undefined
    ? client.json('GET /v1/sessions/{id}/queue-status', { path: { id: session.id } })
    : {};

/** Retention of an ended session. */
const retentionOf = async (
  { client }: CommandContext,
  { id, status }: Session,
): Promise<SessionRetention | undefined> =>
  isEnded(status) ? client.json('GET /v1/sessions/{id}/retention', { path: { id } }) : undefined;

const show: Action<{ readonly detail?: boolean }> = async (context, [id = ''], { detail = false }) => {
  const session = await context.client.session(id);
  const definitions: MetricDefinitions = context.json ? {} : (await context.client.json('GET /v1/metrics')).metrics;
  const { queueStatus } = await queueStatusOf(context, session);
  const retention = await retentionOf(context, session);
  const more = { ...(queueStatus && { queueStatus }), ...(retention && { retention }) };
  const view = { detail, definitions, paint: context.paint, now: Date.now(), ...more };
  context.print({ ...session, ...more }, () => sessionLines(session, view));
};

export const addShow = (program: Command, connect: Connect): void => {
  const command = program
    .command('show')
    .summary('show a session')
    .description(
      'Shows the status of a session, one line per cycle, and its stop reason. With --json: the whole record.',
    )
    .argument('<id>', sessionArgument)
    .option('--detail', 'show each cycle with its decision, command, attempts, metrics and files')
    .addHelpText('after', '\nExample:\n  phx show 01jd7v9s6m2x4k8q0w5c3b1n7r --detail');
  connect<{ detail?: boolean }>(command, announcing(onSession(show)));
};
