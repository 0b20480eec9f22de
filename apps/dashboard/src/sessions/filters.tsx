import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFilterOff, IconSearch, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactElement } from 'react';
import { sessionOrders, sessionOutcomes, sessionStatuses } from '@fleet/contracts';
import { texts } from '../texts';
import { changedSearch, isFiltered, moreFilters, type ListSearch, type MoreFilter } from './list-search';

interface Filtering {
  readonly search: ListSearch;
  readonly onChange: (search: ListSearch) => void;
}

const waitMs = 350;

/** A filter that is typed: it counts once nothing more is typed. */
const Typed = ({
  name,
  label,
  search,
  onChange,
}: Filtering & {
  readonly name: 'text' | 'proposal' | MoreFilter;
  readonly label: string;
}): ReactElement => {
  const given = search[name] ?? '';
  const [typed, setTyped] = useState(given);
  useEffect(() => {
    setTyped(given);
  }, [given]);
  useEffect(() => {
    if (typed.trim() === given) return undefined;
    const timer = setTimeout(() => {
      onChange(changedSearch(search, { [name]: typed.trim() }));
    }, waitMs);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, given, name, search, onChange]);
  return (
    <TextInput
      size="xs"
      label={label}
      value={typed}
      placeholder={texts.list.examples[name] ?? ''}
      className={`filter-${name}`}
      {...(name === 'text' && { leftSection: <IconSearch size={14} /> })}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
      }}
    />
  );
};

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
    onChange={({ currentTarget }) => {
      onChange(changedSearch(search, { [name]: currentTarget.value }));
    }}
  />
);

const words = (names: readonly string[]): readonly (readonly [string, string])[] => [
  ['', texts.list.any],
  ...names.map((name) => [name, name.replaceAll('_', ' ')] as const),
];
const orderWords = sessionOrders.map((order) => {
  const sort = order.replace('-', '') as keyof typeof texts.sorts;
  return [order === '-created' ? '' : order, `${texts.sorts[sort]}${order.startsWith('-') ? ' ↓' : ' ↑'}`] as const;
});

/** Filters of the panel that are in force; each is taken out by a click. */
const InForce = ({ search, onChange }: Filtering): ReactElement => (
  <>
    {moreFilters.map((name) => {
      const value = search[name];
      if (value === undefined) return null;
      const label = texts.list[name];
      return (
        <span key={name} className="chip">
          {label} {value}
          <ActionIcon
            size="xs"
            variant="subtle"
            color="gray"
            aria-label={texts.list.without(label)}
            onClick={() => {
              onChange(changedSearch(search, { [name]: '' }));
            }}
          >
            <IconX size={12} />
          </ActionIcon>
        </span>
      );
    })}
  </>
);

const More = (filtering: Filtering): ReactElement => (
  <div className="filters more-filters" id="more-filters">
    {moreFilters.map((name) => (
      <Typed key={name} name={name} label={texts.list[name]} {...filtering} />
    ))}
    <Chosen name="sort" label={texts.list.sort} options={orderWords} {...filtering} />
  </div>
);

/** What the list shows; every change is in the address. */
export const Filters = (filtering: Filtering): ReactElement => {
  const [isOpen, setOpen] = useState(false);
  const { batch } = filtering.search;
  return (
    <search>
      <div className="filters">
        <Typed name="text" label={texts.list.search} {...filtering} />
        <Chosen name="status" label={texts.list.status} options={words(sessionStatuses)} {...filtering} />
        <Chosen name="outcome" label={texts.list.outcome} options={words(sessionOutcomes)} {...filtering} />
        <Typed name="proposal" label={texts.list.proposal} {...filtering} />
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          aria-controls="more-filters"
          leftSection={<IconAdjustmentsHorizontal size={14} />}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          {isOpen ? texts.list.fewer : texts.list.more}
        </Button>
        {batch !== undefined && (
          <Link to="/batches/$id" params={{ id: batch }} search={{}} className="chip">
            {texts.list.batch} {batch}
          </Link>
        )}
        {!isOpen && <InForce {...filtering} />}
        {isFiltered(filtering.search) && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconFilterOff size={14} />}
            onClick={() => {
              filtering.onChange({});
            }}
          >
            {texts.list.clear}
          </Button>
        )}
      </div>
      {isOpen && <More {...filtering} />}
    </search>
  );
};
