import { Group, Paper, Table, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTable } from '@tanstack/react-table';
import { useCallback, useMemo, type ReactElement, type ReactNode } from 'react';
import type { SessionPage, SessionRow, SessionSort } from '@fleet/contracts/sessions';
import { fetchSessions } from '../../api/calls';
import { useMe } from '../../parts/use-me';
import { Pending } from '../../parts/failure';
import { useTitle } from '../../parts/use-title';
import { listTexts } from '../../texts/sessions';
import { shellTexts } from '../../texts/shell';
import { BulkBar } from './bulk-bar';
import { columnsOf, features } from './columns';
import { Counters } from './counters';
import { Filters } from './filters';
import { isFiltered, listParameters, sortedSearch, type ListSearch } from './list-search';
import { SelectionProvider, useSelection, type Selection } from './selection';
import { ViewBar } from './view-bar';
import { TableFrame } from '../../parts/listing';
import { Page } from '../../parts/page';
import css from './sessions.module.css';
import listing from '../../parts/listing.module.css';

/** Sort keys of the columns. */
const sortOfColumn: Readonly<Record<string, SessionSort>> = {
  state: 'outcome',
  title: 'title',
  resolution: 'resolution',
  spaceGroup: 'spaceGroup',
  fit: 'rFree',
  runtime: 'created',
};

const directionOf = (search: ListSearch, by: SessionSort | undefined): 'ascending' | 'descending' | undefined => {
  if (by === undefined || search.sort?.replace('-', '') !== by) return undefined;
  return search.sort === by ? 'ascending' : 'descending';
};

/** The heading of a column; a click sorts by it if possible. */
const Heading = ({
  column,
  search,
  children,
}: {
  readonly column: string;
  readonly search: ListSearch;
  readonly children: ReactNode;
}): ReactElement => {
  const by = sortOfColumn[column];
  const direction = directionOf(search, by);
  return (
    <Table.Th
      data-column={column}
      {...(column === 'title' && { className: listing.title })}
      scope="col"
      aria-sort={direction}
    >
      {by === undefined ? (
        children
      ) : (
        <Link
          to="/sessions"
          search={sortedSearch(search, by)}

          title={listTexts.sortBy(listTexts.sorts[by])}
        >
          {children}
          {direction !== undefined && (direction === 'ascending' ? ' ↑' : ' ↓')}
        </Link>
      )}
    </Table.Th>
  );
};

const SessionsTable = ({
  search,
  rows,
  selection,
}: {
  readonly search: ListSearch;
  readonly rows: readonly SessionRow[];
  readonly selection: Selection;
}): ReactElement => {
  const me = useMe();
  const mayChange = me.data?.scopes.includes('change') === true;
  const columns = useMemo(() => columnsOf(mayChange), [mayChange]);
  const table = useTable({ features, columns, data: rows, getRowId: ({ id }: SessionRow) => id });
  return (
    <SelectionProvider value={selection}>
      <TableFrame>
        <Table className={css.sessions} data-testid="sessions">
          <Table.Thead>
            {table.getHeaderGroups().map((group) => (
              <Table.Tr key={group.id}>
                {group.headers.map((header) => (
                  <Heading key={header.id} column={header.column.id} search={search}>
                    <table.FlexRender header={header} />
                  </Heading>
                ))}
              </Table.Tr>
            ))}
          </Table.Thead>
          <Table.Tbody>
            {table.getRowModel().rows.map((row) => (
              <Table.Tr key={row.id} data-session={row.id}>
                {row.getAllCells().map((cell) => (
                  <Table.Td
                    key={cell.id}
                    data-column={cell.column.id}
                    {...(cell.column.id === 'title' && { className: listing.title })}
                  >
                    <table.FlexRender cell={cell} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableFrame>
    </SelectionProvider>
  );
};

const Pages = ({ page, search }: { readonly page: SessionPage; readonly search: ListSearch }): ReactElement => {
  const { cursor, ...first } = search;
  return (
    <Group component="footer" gap={18}>
      <span className="quiet">{listTexts.shown(page.sessions.length, page.nextCursor !== undefined)}</span>
      {cursor !== undefined && (
        <Link to="/sessions" search={first}>
          {listTexts.first}
        </Link>
      )}
      {page.nextCursor !== undefined && (
        <Link to="/sessions" search={{ ...first, cursor: page.nextCursor }}>
          {listTexts.next}
        </Link>
      )}
    </Group>
  );
};

/** The rows of a page, or a note that there are none. */
const Rows = ({
  page,
  search,
  selection,
}: {
  readonly page: SessionPage;
  readonly search: ListSearch;
  readonly selection: Selection;
}): ReactElement => {
  if (page.sessions.length === 0)
    return (
      <Paper component="p" p={40} ta="center" c="dimmed">
        {isFiltered(search) ? listTexts.none : listTexts.nothing}
      </Paper>
    );
  return (
    <>
      <SessionsTable search={search} rows={page.sessions} selection={selection} />
      <Pages page={page} search={search} />
    </>
  );
};

const noRows: readonly SessionRow[] = [];

const Listed = ({ search }: { readonly search: ListSearch }): ReactElement => {
  const list = useQuery({
    queryKey: ['sessions', search],
    queryFn: ({ signal }) => fetchSessions(listParameters(search), signal),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.sessions ?? noRows;
  const selection = useSelection(rows.map(({ id }) => id));
  if (list.data === undefined) return <Pending query={list} height={400} />;
  return (
    <>
      {/* Also above an empty list: the outcomes are shown even after the sessions leave the list. */}
      <BulkBar rows={rows} selection={selection} />
      <Rows page={list.data} search={search} selection={selection} />
    </>
  );
};

/** All visible sessions, a page at a time. */
export const SessionsPage = (): ReactElement => {
  const search = useSearch({ from: '/sessions' });
  const navigate = useNavigate();
  useTitle(shellTexts.sessions);
  const onChange = useCallback(
    (changed: ListSearch) => {
      void navigate({ to: '/sessions', search: changed });
    },
    [navigate],
  );
  return (
    <Page>
      <VisuallyHidden component="h1">{shellTexts.sessions}</VisuallyHidden>
      <Counters search={search} />
      <Filters search={search} onChange={onChange} />
      <ViewBar search={search} />
      <Listed search={search} />
    </Page>
  );
};
