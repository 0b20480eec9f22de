import type { QueryValues } from '@fleet/contracts/route';
import { routes } from '@fleet/contracts/routes';
import type { AuditFilter } from '@fleet/ports';
import { given, msOf, type Query, readQuery } from '../../http/read-query';

type Filters = QueryValues<typeof routes.audit.csv.query>;

const filterOf = ({ who, action, object, since, until }: Filters): AuditFilter =>
  given({ who, action, object, since: msOf(since), until: msOf(until) });

/** @throws ApiError `request.invalid` with every problem */
export const readAuditQuery = (
  query: Query,
): { readonly filter: AuditFilter; readonly limit: number; readonly cursor: string | undefined } => {
  const values = readQuery(routes.audit.list, query);
  return { filter: filterOf(values), limit: values.limit, cursor: values.cursor };
};

/** @throws ApiError `request.invalid` with every problem */
export const readExportQuery = (query: Query): AuditFilter => filterOf(readQuery(routes.audit.csv, query));
