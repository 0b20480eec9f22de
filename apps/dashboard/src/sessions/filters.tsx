import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconFilterOff, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactElement } from 'react';
import { sessionOutcomes, sessionStatuses } from '@fleet/contracts';
import { texts } from '../texts';
import { changedSearch, isFiltered, orders, type ListSearch } from './list-search';

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
  readonly name: 'text' | 'proposal' | 'beamline' | 'submitter';
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
    disabled={name === 'sort' && search.text !== undefined}
    onChange={({ currentTarget }) => {
      onChange(changedSearch(search, { [name]: currentTarget.value }));
    }}
  />
);

const words = (names: readonly string[]): readonly (readonly [string, string])[] => [
  ['', texts.list.any],
  ...names.map((name) => [name, name.replaceAll('_', ' ')] as const),
];
const orderWords = orders.map((order) => [order === 'newest' ? '' : order, texts.orders[order]] as const);

/** What the list shows; every change is in the address. */
export const Filters = (filtering: Filtering): ReactElement => (
  <search className="filters">
    <Typed name="text" label={texts.list.search} {...filtering} />
    <Chosen name="status" label={texts.list.status} options={words(sessionStatuses)} {...filtering} />
    <Chosen name="outcome" label={texts.list.outcome} options={words(sessionOutcomes)} {...filtering} />
    <Typed name="proposal" label={texts.list.proposal} {...filtering} />
    <Typed name="beamline" label={texts.list.beamline} {...filtering} />
    <Typed name="submitter" label={texts.list.submitter} {...filtering} />
    <Chosen name="sort" label={texts.list.sort} options={orderWords} {...filtering} />
    {filtering.search.batch !== undefined && (
      <Link to="/batches/$id" params={{ id: filtering.search.batch }} search={{}} className="chip">
        {texts.list.batch} {filtering.search.batch}
      </Link>
    )}
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
  </search>
);
