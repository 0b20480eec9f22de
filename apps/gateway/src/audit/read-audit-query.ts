import { actions } from '@fleet/access';
import type { AuditFilter } from '@fleet/ports';
import { QueryReader, type Query } from '../http/read-query';
import { openActions } from './audit-note';

const lineForm = /^[^\p{Cc}]{1,200}$/u;
const lineAllowed = 'one line of text, at most 200 characters';
const cursorForm = /^\d{15}:[0-9a-f]{16}$/;

/** Beside the actions of the policy: logins of browsers, sessions that are deleted, and what the log says of itself. */
export const auditedActions = [...actions, ...openActions, 'audit', 'purge'] as const;

const given = <T extends object>(values: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };

const readFilter = (reader: QueryReader): AuditFilter =>
  given({
    who: reader.text('who', lineForm, lineAllowed),
    action: reader.choice('action', auditedActions),
    object: reader.text('object', lineForm, lineAllowed),
    since: reader.time('since'),
    until: reader.time('until'),
  });

const filterNames = ['who', 'action', 'object', 'since', 'until'] as const;

/** @throws ApiError `request.invalid` with every problem that was found */
export const readAuditQuery = (
  query: Query,
): { readonly filter: AuditFilter; readonly limit: number; readonly cursor: string | undefined } => {
  const reader = new QueryReader(query, [...filterNames, 'limit', 'cursor']);
  const filter = readFilter(reader);
  const limit = reader.integer('limit', { default: 100, min: 1, max: 1000 });
  const cursor = reader.text('cursor', cursorForm, 'a nextCursor of an earlier answer');
  reader.done();
  return { filter, limit, cursor };
};

/** @throws ApiError `request.invalid` with every problem that was found */
export const readExportQuery = (query: Query): AuditFilter => {
  const reader = new QueryReader(query, filterNames);
  const filter = readFilter(reader);
  reader.done();
  return filter;
};
