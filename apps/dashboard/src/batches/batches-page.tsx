import '../styles/batches.css';
import { Skeleton, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import type { BatchView } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { fetchBatches } from '../api/calls';
import { Ago } from '../format/time';
import { Failure } from '../shell/failure';
import { useTitle } from '../shell/use-title';
import { batchTexts } from '../texts-batches';
import { OutcomeBar } from './outcome-bar';

const Row = ({ batch }: { readonly batch: BatchView }): ReactElement => (
  <tr data-batch={batch.id}>
    <td className="column-title">
      <Link to="/batches/$id" params={{ id: batch.id }} search={{}} className="title">
        {plainLine(batch.title) || batchTexts.untitled}
      </Link>
      <span className="quiet small">
        {batch.proposal}
        {batch.submitter !== '' && ` · ${plainLine(batch.submitter)}`}
      </span>
    </td>
    <td className="number">{batch.rows}</td>
    <td className="column-bar">
      <OutcomeBar batch={batch} />
    </td>
    <td className="batch-state">{plainLine(batch.state)}</td>
    <td className="number">
      <Ago at={batch.createdAt} />
    </td>
  </tr>
);

const Typed = (): ReactElement => {
  const { proposal = '' } = useSearch({ from: '/batches' });
  const navigate = useNavigate();
  const [typed, setTyped] = useState(proposal);
  const show = (): void => {
    const wanted = typed.trim();
    if (wanted !== proposal) void navigate({ to: '/batches', search: wanted === '' ? {} : { proposal: wanted } });
  };
  return (
    <search className="filters">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          show();
        }}
      >
        <TextInput
          size="xs"
          label={batchTexts.proposal}
          value={typed}
          onBlur={show}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
          }}
        />
      </form>
    </search>
  );
};

const Listed = (): ReactElement => {
  const search = useSearch({ from: '/batches' });
  const { cursor, ...first } = search;
  const list = useQuery({
    queryKey: ['batches', search],
    queryFn: ({ signal }) => fetchBatches({ ...search, limit: '50' }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  const { data, error } = list;
  if (data === undefined)
    return error === null ? <Skeleton height={300} /> : <Failure error={error} onAgain={() => void list.refetch()} />;
  if (data.batches.length === 0)
    return <p className="empty">{search.proposal === undefined ? batchTexts.nothing : batchTexts.none}</p>;
  return (
    <>
      <div className="table-frame">
        <table className="batches" data-testid="batches">
          <thead>
            <tr>
              {Object.entries(batchTexts.columns).map(([name, text]) => (
                <th key={name} scope="col" className={name === 'title' ? 'column-title' : ''}>
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.batches.map((batch) => (
              <Row key={batch.id} batch={batch} />
            ))}
          </tbody>
        </table>
      </div>
      <footer className="pages">
        <span className="quiet">{batchTexts.shown(data.batches.length)}</span>
        {cursor !== undefined && (
          <Link to="/batches" search={first}>
            {batchTexts.first}
          </Link>
        )}
        {data.nextCursor !== undefined && (
          <Link to="/batches" search={{ ...first, cursor: data.nextCursor }}>
            {batchTexts.next}
          </Link>
        )}
      </footer>
    </>
  );
};

/** Every batch that one sees, the newest first. */
export const BatchesPage = (): ReactElement => {
  const { proposal = '' } = useSearch({ from: '/batches' });
  useTitle(batchTexts.title);
  return (
    <div className="page">
      <h1 className="hidden">{batchTexts.title}</h1>
      <Typed key={proposal} />
      <Listed />
    </div>
  );
};
