import type { TraceRow } from './trace-tree';

/** The effect of a key: another row gets the focus, a row opens or closes, or its details are shown. */
export type Move =
  { readonly focus: number } | { readonly path: string; readonly open: boolean } | { readonly choose: string };

/** Rows skipped by the page keys. */
const page = 10;

const sideways = (
  key: string,
  rows: readonly TraceRow[],
  at: number,
  isOpen: (path: string) => boolean,
): Move | undefined => {
  const row = rows[at];
  if (row === undefined) return undefined;
  const { path } = row.operation;
  const isOpened = row.hasParts && isOpen(path);
  if (key === 'ArrowRight') {
    if (!row.hasParts) return undefined;
    return isOpened ? { focus: at + 1 } : { path, open: true };
  }
  if (isOpened) return { path, open: false };
  const parent = rows.findIndex(({ operation }) => operation.path === row.parent);
  return parent < 0 ? undefined : { focus: parent };
};

/** The effect of a key on the row with the focus, as in other treegrids (ARIA Authoring Practices); undefined: none. */
export const movedTo = (
  key: string,
  rows: readonly TraceRow[],
  at: number,
  isOpen: (path: string) => boolean,
): Move | undefined => {
  const last = rows.length - 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: last,
  };
  const step = steps[key];
  if (step !== undefined) return { focus: Math.min(last, Math.max(0, step)) };
  if (key === 'ArrowRight' || key === 'ArrowLeft') return sideways(key, rows, at, isOpen);
  const path = rows[at]?.operation.path;
  return path !== undefined && (key === 'Enter' || key === ' ') ? { choose: path } : undefined;
};
