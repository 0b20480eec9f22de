import { ActionIcon, Badge, Button, NativeSelect } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFilterOff, IconSearch, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { sessionOrders, sessionOutcomes, sessionStatuses } from '@fleet/contracts/sessions';
import { TypedFilter } from '../../parts/typed-filter';
import { listTexts } from '../../texts/sessions';
import { changedSearch, isFiltered, moreFilters, type ListSearch, type MoreFilter } from './list-search';
import css from '../../parts/filters.module.css';

interface Filtering {
  readonly search: ListSearch;
  readonly onChange: (search: ListSearch) => void;
}

const Typed = ({
  name,
  label,
  search,
  onChange,
}: Filtering & {
  readonly name: 'text' | 'proposal' | MoreFilter;
  readonly label: string;
}): ReactElement => (
  <TypedFilter
    label={label}
    given={search[name] ?? ''}
    placeholder={listTexts.examples[name] ?? ''}
    name={name}
    leftSection={name === 'text' && <IconSearch size={14} />}
    onTyped={(text) => onChange(changedSearch(search, { [name]: text }))}
  />
);

const Chosen = ({
  name,
  label,
  options,
  search,
  onChange,
}: Filtering & {
  readonly name: 'status' | 'outcome' | 'sort';
  readonly label: string;
  readonly options: readonly (readonly [string, string])[];
}): ReactElement => (
  <NativeSelect
    size="xs"
    label={label}
    data={options.map(([value, text]) => ({ value, label: text }))}
    value={search[name] ?? ''}
    onChange={({ currentTarget }) => onChange(changedSearch(search, { [name]: currentTarget.value }))}
  />
);

const words = (names: readonly string[]): readonly (readonly [string, string])[] => [
  ['', listTexts.any],
  ...names.map((name) => [name, name.replaceAll('_', ' ')] as const),
];
const orderWords = sessionOrders.map((order) => {
  const sort = order.replace('-', '') as keyof typeof listTexts.sorts;
  return [order === '-created' ? '' : order, `${listTexts.sorts[sort]}${order.startsWith('-') ? ' ↓' : ' ↑'}`] as const;
});

/** Active filters; a click removes one. */
const InForce = ({ search, onChange }: Filtering): ReactElement => (
  <>
    {moreFilters.map((name) => {
      const value = search[name];
      if (value === undefined) return null;
      const label = listTexts[name];
      return (
        <Badge
          key={name}
          rightSection={
            <ActionIcon
              size="xs"
              variant="subtle"
              color="gray"
              aria-label={listTexts.without(label)}
              onClick={() => onChange(changedSearch(search, { [name]: '' }))}
            >
              <IconX size={12} />
            </ActionIcon>
          }
        >
          {label} {value}
        </Badge>
      );
    })}
  </>
);

const More = (filtering: Filtering): ReactElement => (
  <div className={css.filters} data-more id="more-filters">
    {moreFilters.map((name) => (
      <Typed key={name} name={name} label={listTexts[name]} {...filtering} />
    ))}
    <Chosen name="sort" label={listTexts.sort} options={orderWords} {...filtering} />
  </div>
);

/** The filters of the list; every change is in the URL. */
export const Filters = (filtering: Filtering): ReactElement => {
  const [isOpen, setOpen] = useState(false);
  const { batch } = filtering.search;
  return (
    <search>
      <div className={css.filters}>
        <Typed name="text" label={listTexts.search} {...filtering} />
        <Chosen name="status" label={listTexts.status} options={words(sessionStatuses)} {...filtering} />
        <Chosen name="outcome" label={listTexts.outcome} options={words(sessionOutcomes)} {...filtering} />
        <Typed name="proposal" label={listTexts.proposal} {...filtering} />
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          aria-controls="more-filters"
          leftSection={<IconAdjustmentsHorizontal size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? listTexts.fewer : listTexts.more}
        </Button>
        {batch !== undefined && (
          <Badge>
            <Link to="/batches/$id" params={{ id: batch }} search={{}}>
              {listTexts.batch} {batch}
            </Link>
          </Badge>
        )}
        {!isOpen && <InForce {...filtering} />}
        {isFiltered(filtering.search) && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconFilterOff size={14} />}
            onClick={() => filtering.onChange({})}
          >
            {listTexts.clear}
          </Button>
        )}
      </div>
      {isOpen && <More {...filtering} />}
    </search>
  );
};
