import { createContext, useCallback, useContext, useMemo, useState, type ReactElement } from 'react';
import type { SessionRow } from '@fleet/contracts/sessions';
import { plainLine } from '@fleet/session-report';
import { bulkTexts } from '../../texts/sessions';

/** The selected rows of a page. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (ids: readonly string[], isOn: boolean) => void;
}

const SelectionContext = createContext<Selection>({ ids: new Set(), toggle: () => undefined });
export const SelectionProvider = SelectionContext;

/** @param ids of the page's rows: rows that have left it are deselected */
export const useSelection = (ids: readonly string[]): Selection => {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (changed: readonly string[], isOn: boolean) =>
      setMarked((before) => new Set([...before, ...changed].filter((id) => isOn || !changed.includes(id)))),
    [],
  );
  const shown = ids.filter((id) => marked.has(id)).join(' ');
  return useMemo(() => ({ ids: new Set(shown === '' ? [] : shown.split(' ')), toggle }), [shown, toggle]);
};

/** Selects a row. */
export const RowMark = ({ row }: { readonly row: SessionRow }): ReactElement => {
  const { ids, toggle } = useContext(SelectionContext);
  return (
    <input
      type="checkbox"

      aria-label={bulkTexts.mark(plainLine(row.title) || row.id)}
      checked={ids.has(row.id)}
      onChange={({ currentTarget }) => toggle([row.id], currentTarget.checked)}
    />
  );
};

/** Selects every row of the page. */
export const PageMark = ({ rows }: { readonly rows: readonly SessionRow[] }): ReactElement => {
  const { ids, toggle } = useContext(SelectionContext);
  const isAll = rows.length > 0 && ids.size === rows.length;
  return (
    <input
      type="checkbox"

      aria-label={bulkTexts.markAll}
      checked={isAll}
      ref={(box) => {
        if (box !== null) box.indeterminate = ids.size > 0 && !isAll;
      }}
      onChange={({ currentTarget }) =>
        toggle(
          rows.map(({ id }) => id),
          currentTarget.checked,
        )
      }
    />
  );
};
