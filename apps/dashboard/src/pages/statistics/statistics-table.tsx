import { Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Spread, StatisticsGroup, StatisticsGrouping } from '@fleet/contracts/statistics';
import { statisticsKeyText } from '@fleet/session-report';
import type { ListSearch } from '../sessions/list-search';
import { Listing } from '../../parts/listing';
import { stateTexts } from '../../texts/states';
import { statisticsTexts } from '../../texts/statistics';
import { listSearchOf, type StatisticsSearch } from './statistics-search';
import { countOf, endedOf, hoursText, kindsOf, spreadText } from './statistics-series';

/** More would make the page slow; the CSV file has all. */
const mostRows = 200;

const times = ['toFirstRFree', 'toEnd'] as const;

const timesText = (spread: Spread | undefined): string =>
  spread === undefined ? '–' : `${spreadText(spread.p50)} / ${spreadText(spread.p95)}`;

const solvedText = (group: StatisticsGroup): string =>
  endedOf(group) === 0 ? '–' : `${((100 * group.outcomes.solved) / endedOf(group)).toFixed(0)} %`;

/** A number of sessions, with a link if the list can show them. */
const Count = ({
  count,
  what,
  list,
}: {
  readonly count: number;
  readonly what: string;
  readonly list: ListSearch | undefined;
}): ReactElement => (
  <Table.Td className="number">
    {count === 0 || list === undefined ? (
      count
    ) : (
      <Link to="/sessions" search={list} aria-label={statisticsTexts.show(count, what)}>
        {count}
      </Link>
    )}
  </Table.Td>
);

/** The statistics of each group. */
export const StatisticsTable = ({
  by,
  groups,
  search,
  since,
}: {
  readonly by: StatisticsGrouping;
  readonly groups: readonly StatisticsGroup[];
  readonly search: StatisticsSearch;
  /** First day of the period. */
  readonly since: string | undefined;
}): ReactElement => {
  const kinds = kindsOf(groups);
  const columns = [
    statisticsTexts.groupings[by],
    statisticsTexts.sessions,
    statisticsTexts.solvedShare,
    ...times.map(statisticsTexts.times),
    statisticsTexts.coreHours,
    statisticsTexts.gpuHours,
    ...kinds.map((kind) => stateTexts[kind].label),
  ];
  return (
    <Listing columns={columns} isNumeric testId="figures">
      {groups.slice(0, mostRows).map((group) => {
        const name = statisticsKeyText(by, group.key);
        const list = listSearchOf(by, group.key, search, since);
        return (
          <Table.Tr key={group.key} data-group={group.key}>
            <Table.Th scope="row">{name}</Table.Th>
            <Count count={group.sessions} what={name} list={list} />
            <Table.Td className="number">{solvedText(group)}</Table.Td>
            {times.map((figure) => (
              <Table.Td key={figure} className="number">
                {timesText(group[figure])}
              </Table.Td>
            ))}
            <Table.Td className="number">{hoursText(group.coreHours)}</Table.Td>
            <Table.Td className="number">{hoursText(group.gpuHours)}</Table.Td>
            {kinds.map((kind) => (
              <Count
                key={kind}
                count={countOf(group, kind)}
                what={`${name}, ${stateTexts[kind].label}`}
                list={list && { ...list, ...(kind === 'running' ? { status: 'running' } : { outcome: kind }) }}
              />
            ))}
          </Table.Tr>
        );
      })}
    </Listing>
  );
};

/** The number of groups that the table leaves out. */
export const TableNote = ({ count }: { readonly count: number }): ReactElement | null =>
  count > mostRows ? <p className="quiet small">{statisticsTexts.listed(mostRows, count)}</p> : null;
