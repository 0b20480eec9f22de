import { InvalidArgumentError, Option, type Command } from 'commander';
import { sessionStatuses, type SessionPage, type SessionRow } from '@fleet/contracts';
import { metricLabel, type MetricDefinitions, type MetricsView } from '@fleet/session-report';
import { exitCodes } from '../exit-codes';
import { tableLines } from '../output/table';
import type { Action, CommandContext, Connect } from './command-context';

interface ListOptions {
  readonly status?: string;
  readonly proposal?: string;
  readonly beamline?: string;
  readonly limit: number;
}

const mostPerPage = 500;

const pageOf = (
  context: CommandContext,
  options: ListOptions,
  limit: number,
  cursor?: string,
): Promise<SessionPage> => {
  const { status, proposal, beamline } = options;
  const query = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries({ status, proposal, beamline, cursor })) {
    if (value !== undefined) query.set(name, value);
  }
  return context.client.json<SessionPage>(`/v1/sessions?${query.toString()}`);
};

/** `R-free 0.157 at 1.23 Å`: what tells a good end from a poor one. */
const fitText = ({ fit }: SessionRow, definitions: MetricDefinitions): string => {
  if (fit === undefined) return '';
  const at = fit.resolution === undefined ? '' : ` at ${fit.resolution.toFixed(2)} Å`;
  return `${metricLabel(fit.metric, definitions)} ${fit.value.toFixed(3)}${at}`;
};

const list: Action<ListOptions> = async (context, _, options) => {
  const sessions: SessionRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await pageOf(context, options, Math.min(mostPerPage, options.limit - sessions.length), cursor);
    sessions.push(...page.sessions);
    cursor = page.nextCursor;
  } while (cursor !== undefined && sessions.length < options.limit);
  const definitions = context.json ? {} : (await context.client.json<MetricsView>('/v1/metrics')).metrics;
  context.print({ sessions, ...(cursor !== undefined && { nextCursor: cursor }) }, () => {
    const head = ['ID', 'STATUS', 'BECAUSE', 'FIT', 'CYCLE', 'STAGE', 'PROPOSAL', 'BEAMLINE', 'SUBMITTED', 'TITLE'];
    const rows = sessions.map((row) => [
      row.id,
      row.status,
      row.stopReason ?? '',
      fitText(row, definitions),
      String(row.cycle),
      row.status === 'running' ? row.stage : '',
      row.proposal,
      row.beamline,
      row.createdAt.slice(0, 19),
      row.title,
    ]);
    return tableLines([head, ...rows]);
  });
  if (cursor !== undefined && !context.json) context.terminal.err('(there are more; --limit shows them)\n');
  return exitCodes.ok;
};

const readLimit = (text: string): number => {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit > 0) return limit;
  throw new InvalidArgumentError('It is not a number from 1 to 999999.');
};

export const addList = (program: Command, connect: Connect): void => {
  const command = program
    .command('list')
    .summary('list sessions, the newest first')
    .description(
      'Lists sessions, the newest first: status, why it ended, and how well its best model fits the data (R-free of a crystal, the correlation with a map), at the resolution of the data.',
    )
    .addOption(new Option('--status <status>', 'only these').choices([...sessionStatuses]))
    .option('--proposal <name>', 'only of this proposal')
    .option('--beamline <name>', 'only from this beamline')
    .option('--limit <number>', 'at most so many', readLimit, 50)
    .addHelpText('after', '\nExample:\n  phx list --status running --proposal mx1234');
  connect<ListOptions>(command, list);
};
