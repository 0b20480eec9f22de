import type { Command } from 'commander';
import type { QueryOf } from '@fleet/api-client';
import { routes } from '@fleet/contracts/routes';
import { sessionOutcomes } from '@fleet/contracts/sessions';
import type { Spread, Statistics, StatisticsGroup } from '@fleet/contracts/statistics';
import { durationText, statisticsKeyText } from '@fleet/session-report';
import { exitCodes } from '../exit-codes';
import { tableLines } from '../output/table';
import type { Action, Connect } from '../command-context';
import { addQueryOptions } from './query-options';

interface StatsOptions extends QueryOf<'GET /v1/statistics'> {
  readonly csv?: boolean;
}

const spreadText = (spread: Spread | undefined): string =>
  spread === undefined ? '-' : `${durationText(spread.p50 * 1000)}, ${durationText(spread.p95 * 1000)}`;

/** Relative to the ended ones. */
const solvedText = ({ sessions, unended, outcomes }: StatisticsGroup): string =>
  sessions === unended ? '-' : `${((outcomes.solved / (sessions - unended)) * 100).toFixed(0)} %`;

const outcomesText = ({ unended, outcomes }: StatisticsGroup): string =>
  [
    ...sessionOutcomes.flatMap((outcome) => (outcomes[outcome] > 0 ? [`${outcome} ${String(outcomes[outcome])}`] : [])),
    ...(unended > 0 ? [`running ${String(unended)}`] : []),
  ].join(', ');

const statsLines = ({ by, groups }: Statistics): readonly string[] => {
  if (groups.length === 0) return ['No sessions.'];
  const head = [
    by.toUpperCase(),
    'SESSIONS',
    'SOLVED',
    'TO R-FREE P50, P95',
    'TO END P50, P95',
    'CORE H',
    'GPU H',
    'OUTCOMES',
  ];
  const rows = groups.map((group) => [
    statisticsKeyText(by, group.key),
    String(group.sessions),
    solvedText(group),
    spreadText(group.toFirstRFree),
    spreadText(group.toEnd),
    group.coreHours.toFixed(1),
    group.gpuHours.toFixed(1),
    outcomesText(group),
  ]);
  return tableLines([head, ...rows]);
};

const stats: Action<StatsOptions> = async (context, _, { by, since, until, proposal, beamline, submitter, csv }) => {
  const { client, terminal } = context;
  const query = { by, since, until, proposal, beamline, submitter };
  if (csv === true) {
    const text = await client.text('GET /v1/statistics.csv', { query });
    // A terminal shows a carriage return visibly.
    terminal.out(text.replaceAll('\r\n', '\n'));
    return exitCodes.ok;
  }
  const statistics = await client.json('GET /v1/statistics', { query });
  context.print(statistics, () => statsLines(statistics));
  return exitCodes.ok;
};

export const addStats = (program: Command, connect: Connect): void => {
  connect<StatsOptions>(
    addQueryOptions(
      program
        .command('stats')
        .summary('show outcomes, times and hours by month, beamline, proposal, submitter, resolution or path')
        .description(
          'Counts the sessions that you may see in groups: outcomes, the time from submission to the first R-free and to the end (half of the sessions took at most p50, 95 % at most p95), core and GPU hours. Hours and times are those of ended sessions; by resolution and path only ended sessions count.',
        ),
      routes.statistics.statistics,
    )
      .option('--csv', 'print a table for spreadsheets; times are in seconds')
      .addHelpText('after', '\nExample:\n  phx stats --by beamline --since 2026-01-01'),
    stats,
  );
};
