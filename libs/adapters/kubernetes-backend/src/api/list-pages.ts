import type { ApiCall, ApiCaller } from './api-call';
import { objectIn, wordIn } from './json';

/** One page of a list; objects as received. */
export interface ListPage {
  readonly items: readonly unknown[];
  readonly resourceVersion: string;
  readonly next: string | undefined;
}

export type ListCall = Pick<ApiCall, 'path' | 'query' | 'what'>;

const pageSize = 500;

/** One page. @throws ApiFailure */
export const listPage = async (
  caller: Pick<ApiCaller, 'json'>,
  { query, ...call }: ListCall,
  next?: string,
): Promise<ListPage> => {
  const page = { ...query, limit: String(pageSize), continue: next };
  const { items, metadata } = objectIn(await caller.json({ ...call, method: 'GET', verb: 'list', query: page }));
  const { resourceVersion, continue: more } = objectIn(metadata);
  return {
    items: Array.isArray(items) ? items : [],
    resourceVersion: wordIn(resourceVersion),
    next: wordIn(more) || undefined,
  };
};

/** All objects. The pages may be from slightly different moments. @throws ApiFailure */
export const listAll = async (caller: Pick<ApiCaller, 'json'>, call: ListCall): Promise<readonly unknown[]> => {
  const all: unknown[] = [];
  let next: string | undefined;
  do {
    const page = await listPage(caller, call, next);
    all.push(...page.items);
    next = page.next;
  } while (next !== undefined);
  return all;
};
