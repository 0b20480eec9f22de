import { Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTable } from '@tanstack/react-table';
import { useCallback, useMemo, type ReactElement, type ReactNode } from 'react';
import type { SessionPage, SessionRow, SessionSort } from '@fleet/contracts';
import type { MetricDefinitions } from '@fleet/session-report';
import { fetchMe, fetchMetrics, fetchSessions } from '../api/calls';
import { Failure } from '../shell/failure';
import { useTitle } from '../shell/use-title';
import { texts } from '../texts';
import { BulkBar } from './bulk-bar';
import { columnsOf, features } from './columns';
import { Counters } from './counters';
import { Filters } from './filters';
import { isFiltered, listParameters, sortedSearch, type ListSearch } from './list-search';
import { SelectionProvider, useSelection, type Selection } from './selection';
import { ViewBar } from './view-bar';

/** By what a click on a column sorts. */
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

/** The heading of a column; a click sorts by it where the list can be. */
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
    <th className={`column-${column}`} scope="col" aria-sort={direction}>
      {by === undefined ? (
        children
      ) : (
        <Link
          to="/sessions"
          search={sortedSearch(search, by)}
          className="sorts"
          title={texts.list.sortBy(texts.sorts[by])}
        >
          {children}
          {direction !== undefined && (direction === 'ascending' ? ' ↑' : ' ↓')}
        </Link>
      )}
    </th>
  );
};

const SessionsTable = ({
  search,
  rows,
  definitions,
  selection,
}: {
  readonly search: ListSearch;
  readonly rows: readonly SessionRow[];
  readonly definitions: MetricDefinitions;
  readonly selection: Selection;
}): ReactElement => {
  const me = useQuery({ queryKey: ['me'], queryFn: ({ signal }) => fetchMe(signal), staleTime: Infinity });
  const mayChange = me.data?.scopes.includes('change') === true;
  const columns = useMemo(() => columnsOf(definitions, mayChange), [definitions, mayChange]);
  const table = useTable({ features, columns, data: rows, getRowId: ({ id }: SessionRow) => id });
  return (
    <SelectionProvider value={selection}>
      <div className="table-frame">
        <table className="sessions" data-testid="sessions">
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map((header) => (
                  <Heading key={header.id} column={header.column.id} search={search}>
                    <table.FlexRender header={header} />
                  </Heading>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id} data-session={row.id}>
                {row.getAllCells().map((cell) => (
                  <td key={cell.id} className={`column-${cell.column.id}`}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </SelectionProvider>
  );
};

const Pages = ({ page, search }: { readonly page: SessionPage; readonly search: ListSearch }): ReactElement => {
  const { cursor, ...first } = search;
  return (
    <footer className="pages">
      <span className="quiet">{texts.list.shown(page.sessions.length, page.nextCursor !== undefined)}</span>
      {cursor !== undefined && (
        <Link to="/sessions" search={first}>
          {texts.list.first}
        </Link>
      )}
      {page.nextCursor !== undefined && (
        <Link to="/sessions" search={{ ...first, cursor: page.nextCursor }}>
          {texts.list.next}
        </Link>
      )}
    </footer>
  );
};

/** The rows of a page, or that there are none. */
const Rows = ({
  page,
  search,
  selection,
}: {
  readonly page: SessionPage;
  readonly search: ListSearch;
  readonly selection: Selection;
}): ReactElement => {
  const metrics = useQuery({
    queryKey: ['metrics'],
    queryFn: ({ signal }) => fetchMetrics(signal),
    staleTime: Infinity,
  });
  if (page.sessions.length === 0)
    return <p className="empty">{isFiltered(search) ? texts.list.none : texts.list.nothing}</p>;
  return (
    <>
      <SessionsTable
        search={search}
        rows={page.sessions}
        definitions={metrics.data?.metrics ?? {}}
        selection={selection}
      />
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
  if (list.data === undefined)
    return list.error === null ? (
      <Skeleton height={400} />
    ) : (
      <Failure error={list.error} onAgain={() => void list.refetch()} />
    );
  return (
    <>
      {/* Also above an empty list: the outcome of each is told when none of them is listed any more. */}
      <BulkBar rows={rows} selection={selection} />
      <Rows page={list.data} search={search} selection={selection} />
    </>
  );
};

/** Every session that one sees, a page at a time. */
export const SessionsPage = (): ReactElement => {
  const search = useSearch({ from: '/sessions' });
  const navigate = useNavigate();
  useTitle(texts.sessions);
  const onChange = useCallback(
    (changed: ListSearch) => {
      void navigate({ to: '/sessions', search: changed });
    },
    [navigate],
  );
  return (
    <div className="page">
      <h1 className="hidden">{texts.sessions}</h1>
      <Counters search={search} />
      <Filters search={search} onChange={onChange} />
      <ViewBar search={search} />
      <Listed search={search} />
    </div>
  );
};
