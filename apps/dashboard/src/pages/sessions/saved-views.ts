import { readListSearch, type ListSearch } from './list-search';

/** A saved list: its filters and order under a name. */
export interface SavedView {
  readonly name: string;
  readonly search: ListSearch;
}

const storageKey = 'phenix-fleet.views';
export const longestName = 40;
const most = 20;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The views stored by a browser; invalid ones are dropped. */
export const readViews = (text: string | null): readonly SavedView[] => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text ?? '[]');
  } catch {
    // Written by another page of this origin, or by hand: the next saved view replaces it.
    return [];
  }
  return (Array.isArray(parsed) ? parsed : []).flatMap((view: unknown) =>
    isObject(view) && typeof view['name'] === 'string' && isObject(view['search'])
      ? [{ name: view['name'].slice(0, longestName), search: readListSearch(view['search']) }]
      : [],
  );
};

/** A view replaces another one of the same name; it begins at the first page. */
export const withView = (views: readonly SavedView[], name: string, search: ListSearch): readonly SavedView[] => {
  const view = { name: name.trim().slice(0, longestName), search: readListSearch({ ...search, cursor: '' }) };
  return [...withoutView(views, view.name), view].slice(-most);
};

export const withoutView = (views: readonly SavedView[], name: string): readonly SavedView[] =>
  views.filter((view) => view.name !== name);

export const storedViews = (): readonly SavedView[] => readViews(localStorage.getItem(storageKey));
export const keepViews = (views: readonly SavedView[]): void => localStorage.setItem(storageKey, JSON.stringify(views));
