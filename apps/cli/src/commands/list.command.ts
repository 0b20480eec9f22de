import type { Command } from 'commander';
import type { QueryOf } from '@fleet/api-client';
import { routes } from '@fleet/contracts/routes';
import { shortName, type SessionFit, type SessionPage, type SessionRow } from '@fleet/contracts/sessions';
import { metricLabel, queueStatusText, type MetricDefinitions } from '@fleet/session-report';
import { tableLines } from '../output/table';
import type { Action, CommandContext, Connect } from '../command-context';
import { announcing } from './maintenance-notice';
import { numberFrom } from '../read-options';
import { addQueryOptions } from './query-options';

interface ListOptions extends Omit<QueryOf<'GET /v1/sessions'>, 'limit' | 'cursor'> {
  readonly limit: number;
  readonly wide?: boolean;
}

const maxPerPage = 500;
/** Columns of a terminal. */
const lineWidth = 120;

const pageOf = (
  context: CommandContext,
  { wide: _wide, ...query }: ListOptions,
  limit: number,
  cursor?: string,
): Promise<SessionPage> => context.client.json('GET /v1/sessions', { query: { ...query, limit, cursor } });

/** The trend of the metric. */
const arrowOf = ({ metric, trend }: SessionFit, definitions: MetricDefinitions): string => {
  const better = definitions[metric]?.better;
  if (trend === undefined || trend === 'unchanged' || better === undefined) return '';
  return (trend === 'better') === (better === 'lower') ? '↓' : '↑';
};

/** `R-free 0.157↓ at 1.23 Å`: distinguishes a good end from a poor one. */
const fitText = ({ fit, resolution }: SessionRow, definitions: MetricDefinitions): string => {
  const number = fit && `${metricLabel(fit.metric, definitions)} ${fit.value.toFixed(3)}${arrowOf(fit, definitions)} `;
  const angstrom = fit?.resolution ?? resolution;
  return `${number ?? ''}${angstrom === undefined ? '' : `at ${angstrom.toFixed(2)} Å`}`.trimEnd();
};

/** Why it ended, what it waits for, or the running program. */
const atText = ({ stopReason, waiting, queueStatus, stage, program }: SessionRow): string => {
  if (stopReason !== undefined) return stopReason;
  if (queueStatus !== undefined) return `waiting, ${String(queueStatus.position)} of ${String(queueStatus.of)}`;
  if (waiting !== undefined) return 'waiting';
  return stage === 'executing' && program !== undefined ? shortName(program) : stage;
};

const narrowHead = ['ID', 'OUTCOME', 'AT', 'FIT', 'CYCLE', 'PROPOSAL'];
const wideHead = ['PROGRAM', 'R-WORK', 'SPACE GROUP', 'BEAMLINE', 'SUBMITTER', 'SUBMITTED', 'ENDED', 'WAITS FOR'];

const narrowCells = (row: SessionRow, definitions: MetricDefinitions): readonly string[] => [
  row.id,
  row.outcome ?? row.status,
  atText(row),
  fitText(row, definitions),
  String(row.cycle),
  row.proposal,
];

const wideCells = (row: SessionRow): readonly string[] => [
  row.program ?? '',
  row.fit?.rWork?.toFixed(3) ?? '',
  row.spaceGroup ?? '',
  row.beamline,
  row.submitter,
  row.createdAt.slice(0, 19),
  row.endedAt?.slice(0, 19) ?? '',
  row.queueStatus === undefined ? (row.waiting ?? '') : queueStatusText(row.queueStatus, Date.now()),
];

/** The title is last, because it may be truncated to the width of a terminal. */
const listLines = (rows: readonly SessionRow[], definitions: MetricDefinitions, wide: boolean): readonly string[] => {
  const head = [...narrowHead, ...(wide ? wideHead : []), 'TITLE'];
  const cells = rows.map((row) => [...narrowCells(row, definitions), ...(wide ? wideCells(row) : []), row.title]);
  const lines = tableLines([head, ...cells]);
  return wide ? lines : lines.map((line) => (line.length > lineWidth ? `${line.slice(0, lineWidth - 1)}…` : line));
};

const list: Action<ListOptions> = async (context, _, options) => {
  const sessions: SessionRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await pageOf(context, options, Math.min(maxPerPage, options.limit - sessions.length), cursor);
    sessions.push(...page.sessions);
    cursor = page.nextCursor;
  } while (cursor !== undefined && sessions.length < options.limit);
  const definitions = context.json ? {} : (await context.client.json('GET /v1/metrics')).metrics;
  context.print({ sessions, ...(cursor !== undefined && { nextCursor: cursor }) }, () =>
    listLines(sessions, definitions, options.wide === true),
  );
  if (cursor !== undefined && !context.json) context.terminal.err('(there are more; raise --limit to see them)\n');
};

export const addList = (program: Command, connect: Connect): void => {
  const command = addQueryOptions(
    program
      .command('list')
      .summary('list sessions, newest first')
      .description(
        'Lists sessions, newest first, with the outcome or status, the stop reason or running program, the fit of the best model to the data (R-free for a crystal, map correlation for cryo-EM), its trend and the resolution.',
      ),
    routes.sessions.list,
    ['limit', 'cursor'],
  )
    .option('--limit <number>', 'maximum number of sessions', numberFrom(1, 999_999), 50)
    .option('--wide', 'also show program, R-work, space group, beamline, submitter, times and wait reason')
    .addHelpText(
      'after',
      '\nExample:\n  phx list --status running --proposal mx1234' +
        '\n  phx list --ligand NAG --max-r-free 0.25 --since 2026-10-01 --sort rFree',
    );
  connect<ListOptions>(command, announcing(list));
};
