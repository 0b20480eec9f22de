import { hitOrders, type HitOrder } from './hit-list';
import { rowKinds, type RowKind } from '../../format/row-kinds';

/** URL parameters of a batch page. */
export interface BatchSearch {
  readonly view?: 'failures';
  readonly sort?: HitOrder;
  /** Only rows of this kind. */
  readonly show?: RowKind;
  /** From 2 on. */
  readonly page?: string;
}

const known = <T extends string>(all: readonly T[], value: unknown): T | undefined => all.find((one) => one === value);

/** Reads the URL parameters; unknown ones are dropped. */
export const readBatchSearch = (raw: Readonly<Record<string, unknown>>): BatchSearch => {
  const view = known(['failures'], raw.view);
  const sort = known(hitOrders, raw.sort);
  const show = known(rowKinds, raw.show);
  const page =
    typeof raw.page === 'string' && /^[1-9]\d{0,3}$/.test(raw.page) && raw.page !== '1' ? raw.page : undefined;
  return {
    ...(view !== undefined && { view }),
    ...(sort !== undefined && { sort }),
    ...(show !== undefined && { show }),
    ...(page !== undefined && { page }),
  };
};

/** The same on another page; other rows or another order begin at the first page. */
export const onPage = (search: BatchSearch, page: number): BatchSearch =>
  readBatchSearch({ ...search, page: String(page) });

/** URL parameters of the list of batches. */
export interface BatchesSearch {
  readonly proposal?: string;
  readonly cursor?: string;
}

export const readBatchesSearch = (raw: Readonly<Record<string, unknown>>): BatchesSearch =>
  Object.fromEntries(
    (['proposal', 'cursor'] as const).flatMap((name) =>
      typeof raw[name] === 'string' && raw[name] !== '' ? [[name, raw[name]]] : [],
    ),
  );
