import { Group, Paper, Table, TextInput, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import type { BatchView } from '@fleet/contracts/batches';
import { plainLine } from '@fleet/session-report';
import { api } from '../../api/calls';
import { Ago } from '../../parts/time';
import { Pending } from '../../parts/failure';
import { useTitle } from '../../parts/use-title';
import { batchTexts } from '../../texts/batches';
import { OutcomeBar } from './outcome-bar';
import { TableFrame } from '../../parts/listing';
import { Page } from '../../parts/page';
import css from './batches.module.css';
import listing from '../../parts/listing.module.css';
import filters from '../../parts/filters.module.css';

const Row = ({ batch }: { readonly batch: BatchView }): ReactElement => (
  <Table.Tr data-batch={batch.id}>
    <Table.Td className={listing.title}>
      <Link to="/batches/$id" params={{ id: batch.id }} search={{}}>
        {plainLine(batch.title) || batchTexts.untitled}
      </Link>
      <span className="quiet small">
        {batch.proposal}
        {batch.submitter !== '' && ` · ${plainLine(batch.submitter)}`}
      </span>
    </Table.Td>
    <Table.Td className="number">{batch.rows}</Table.Td>
    <Table.Td className={css.bar}>
      <OutcomeBar batch={batch} />
    </Table.Td>
    <Table.Td className={css.state}>{plainLine(batch.state)}</Table.Td>
    <Table.Td className="number">
      <Ago at={batch.createdAt} />
    </Table.Td>
  </Table.Tr>
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
    <search className={filters.filters}>
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
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
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
    queryFn: ({ signal }) => api.json('GET /v1/batches', { query: { ...search, limit: '50' } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  const { data } = list;
  if (data === undefined) return <Pending query={list} height={300} />;
  if (data.batches.length === 0)
    return (
      <Paper component="p" p={40} ta="center" c="dimmed">
        {search.proposal === undefined ? batchTexts.nothing : batchTexts.none}
      </Paper>
    );
  return (
    <>
      <TableFrame>
        <Table className={css.batches} data-testid="batches">
          <Table.Thead>
            <Table.Tr>
              {Object.entries(batchTexts.columns).map(([name, text]) => (
                <Table.Th key={name} scope="col" className={name === 'title' ? listing.title : undefined}>
                  {text}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.batches.map((batch) => (
              <Row key={batch.id} batch={batch} />
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
      <Group component="footer" gap={18}>
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
      </Group>
    </>
  );
};

/** All visible batches, the newest first. */
export const BatchesPage = (): ReactElement => {
  const { proposal = '' } = useSearch({ from: '/batches' });
  useTitle(batchTexts.title);
  return (
    <Page>
      <VisuallyHidden component="h1">{batchTexts.title}</VisuallyHidden>
      <Typed key={proposal} />
      <Listed />
    </Page>
  );
};
