import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { statisticsGroupings } from '@fleet/contracts/statistics';
import { serverNow } from '../../api/calls';
import { TypedFilter } from '../../parts/typed-filter';
import { statisticsTexts } from '../../texts/statistics';
import { groupingOf, periodOf, readStatisticsSearch, withPeriod, type StatisticsSearch } from './statistics-search';
import filters from '../../parts/filters.module.css';

/** The filters of the statistics; every change is in the URL. */
export const StatisticsFilters = ({
  search,
  onChange,
}: {
  readonly search: StatisticsSearch;
  readonly onChange: (search: StatisticsSearch) => void;
}): ReactElement => {
  const change = (part: StatisticsSearch): void => onChange(readStatisticsSearch({ ...search, ...part }));
  return (
    <search className={filters.filters}>
      <NativeSelect
        size="xs"
        label={statisticsTexts.by}
        data={statisticsGroupings.map((value) => ({ value, label: statisticsTexts.groupings[value] }))}
        value={groupingOf(search)}
        onChange={({ currentTarget: { value } }) => change({ by: value === 'month' ? '' : value })}
      />
      <NativeSelect
        size="xs"
        label={statisticsTexts.period}
        data={Object.entries(statisticsTexts.periods).map(([value, label]) => ({ value, label }))}
        value={periodOf(search)}
        onChange={({ currentTarget: { value } }) => onChange(withPeriod(search, value, serverNow()))}
      />
      {periodOf(search) === 'dates' &&
        (['since', 'until'] as const).map((name) => (
          <TextInput
            key={name}
            size="xs"
            type="date"
            label={statisticsTexts[name]}
            value={search[name] ?? ''}
            onChange={({ currentTarget: { value } }) => change({ [name]: value })}
          />
        ))}
      {(['proposal', 'beamline', 'submitter'] as const).map((name) => (
        <TypedFilter
          key={name}
          label={statisticsTexts[name]}
          given={search[name] ?? ''}
          name="proposal"
          onTyped={(text) => change({ [name]: text })}
        />
      ))}
    </search>
  );
};
