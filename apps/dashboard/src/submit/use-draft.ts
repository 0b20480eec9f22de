import { useCallback, useState } from 'react';

const placeOf = (name: string): string => `phenix-fleet.draft.${name}`;
/** Characters that are kept; a browser has room for some millions in all. */
const mostKept = 1_000_000;

const kept = <T extends object>(name: string, initial: T): T => {
  const text = sessionStorage.getItem(placeOf(name));
  return text === null ? initial : { ...initial, ...(JSON.parse(text) as Partial<T>) };
};

/**
 * What somebody has typed. It outlives whatever takes the page away: a reload, a way to another page and back, a key that has expired. It is
 * gone with the tab, or once it was sent.
 */
export const useDraft = <T extends object>(
  name: string,
  initial: T,
): readonly [draft: T, change: (more: Partial<T>) => void, clear: () => void] => {
  const [draft, setDraft] = useState(() => kept(name, initial));
  const change = useCallback(
    (more: Partial<T>) => {
      setDraft((before) => {
        const after = { ...before, ...more };
        const text = JSON.stringify(after);
        if (text.length <= mostKept) sessionStorage.setItem(placeOf(name), text);
        return after;
      });
    },
    [name],
  );
  const clear = useCallback(() => {
    sessionStorage.removeItem(placeOf(name));
  }, [name]);
  return [draft, change, clear];
};
