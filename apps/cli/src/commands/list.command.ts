import { InvalidArgumentError, Option, type Command } from 'commander';
import type { QueryOf } from '@fleet/api-client';
import {
  sessionOrders,
  sessionOutcomes,
  sessionStatuses,
  type SessionFit,
  type SessionPage,
  type SessionRow,
} from '@fleet/contracts';
import { metricLabel, standingText, type MetricDefinitions } from '@fleet/session-report';
import { exitCodes } from '../exit-codes';
import { tableLines } from '../output/table';
import type { Action, CommandContext, Connect } from './command-context';
import { announcing } from './maintenance-notice';

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

/** Where the number went. */
const arrowOf = ({ metric, trend }: SessionFit, definitions: MetricDefinitions): string => {
  const better = definitions[metric]?.better;
  if (trend === undefined || trend === 'unchanged' || better === undefined) return '';
  return (trend === 'better') === (better === 'lower') ? '↓' : '↑';
};

/** `R-free 0.157↓ at 1.23 Å`: what tells a good end from a poor one. */
const fitText = ({ fit, resolution }: SessionRow, definitions: MetricDefinitions): string => {
  const number = fit && `${metricLabel(fit.metric, definitions)} ${fit.value.toFixed(3)}${arrowOf(fit, definitions)} `;
  const angstrom = fit?.resolution ?? resolution;
  return `${number ?? ''}${angstrom === undefined ? '' : `at ${angstrom.toFixed(2)} Å`}`.trimEnd();
};

/** Why it ended, what it waits in, or the program that runs. */
const atText = ({ stopReason, waiting, standing, stage, program }: SessionRow): string => {
  if (stopReason !== undefined) return stopReason;
  if (standing !== undefined) return `waiting, ${String(standing.position)} of ${String(standing.of)}`;
  if (waiting !== undefined) return 'waiting';
  return stage === 'executing' && program !== undefined ? program.replace(/^phenix\./, '') : stage;
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
  row.standing === undefined ? (row.waiting ?? '') : standingText(row.standing, Date.now()),
];

/** The title is last: it may be cut to the width of a terminal. */
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
  return exitCodes.ok;
};

const readLimit = (text: string): number => {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit > 0) return limit;
  throw new InvalidArgumentError('It must be a number from 1 to 999999.');
};

export const addList = (program: Command, connect: Connect): void => {
  const command = program
    .command('list')
    .summary('list sessions, newest first')
    .description(
      'Lists sessions, newest first: outcome, or status while it runs; why each ended, or the program that runs; and how well its best model fits the data (R-free for a crystal, map correlation for cryo-EM), the trend of that number and the resolution.',
    )
    .addOption(new Option('--status <status>', 'only these').choices([...sessionStatuses]))
    .addOption(new Option('--outcome <outcome>', 'only ended ones with this outcome').choices([...sessionOutcomes]))
    .option('--proposal <name>', 'only sessions of this proposal')
    .option('--beamline <name>', 'only sessions from this beamline')
    .option('--batch <id>', 'only sessions of this batch')
    .option('--submitter <name>', 'only sessions of this submitter')
    .option('--text <text>', 'only sessions whose title, sample or id contains this, in any case')
    .option('--failure <text>', 'only sessions that ended without success for a reason that contains this')
    .option('--ligand <code>', 'only sessions with this ligand: requested, given as a dictionary or fitted')
    .option('--space-group <symbol>', 'only sessions in this space group')
    .option(
      '--cell <cell>',
      'only crystals with this cell in any setting: "78 78 37 90 90 90", then C, I, F … if centred',
    )
    .option(
      '--cell-tolerance <number>',
      'percent of the edges and degrees by which reduced cells may differ (default: 1)',
    )
    .option('--min-resolution <number>', 'only sessions whose data have a resolution of at least this, in Å')
    .option('--max-resolution <number>', 'only sessions whose data have a resolution of at most this, in Å')
    .option('--min-r-free <number>', 'only sessions with an R-free of at least this, a fraction')
    .option('--max-r-free <number>', 'only sessions with an R-free of at most this, a fraction')
    .option('--min-cc <number>', 'only sessions with a map correlation of at least this')
    .option('--max-cc <number>', 'only sessions with a map correlation of at most this')
    .option('--program <name>', 'only sessions that have started this program')
    .option('--since <time>', 'only sessions submitted at this time or later (ISO 8601)')
    .option('--until <time>', 'only sessions submitted before this time')
    .addOption(
      new Option('--sort <order>', 'by default the newest first; "-" is descending').choices([...sessionOrders]),
    )
    .option('--limit <number>', 'the maximum number of sessions', readLimit, 50)
    .option('--wide', 'also program, R-work, space group, beamline, submitter, times and the reason for waiting')
    .addHelpText(
      'after',
      '\nExample:\n  phx list --status running --proposal mx1234' +
        '\n  phx list --ligand NAG --max-r-free 0.25 --since 2026-10-01 --sort rFree',
    );
  connect<ListOptions>(command, announcing(list));
};
