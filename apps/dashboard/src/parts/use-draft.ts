import { useCallback, useState } from 'react';

const storageKeyOf = (name: string): string => `phenix-fleet.draft.${name}`;
/** Maximum stored characters; a browser stores some millions in all. */
const longestDraft = 1_000_000;

const storedDraft = <T extends object>(name: string, initial: T): T => {
  const text = sessionStorage.getItem(storageKeyOf(name));
  return text === null ? initial : { ...initial, ...(JSON.parse(text) as Partial<T>) };
};

/**
 * A draft of typed input. It survives a reload, a visit to another page and an expired key. It is deleted with the tab,
 * or when it was sent.
 */
export const useDraft = <T extends object>(
  name: string,
  initial: T,
): readonly [draft: T, change: (more: Partial<T>) => void, clear: () => void] => {
  const [draft, setDraft] = useState(() => storedDraft(name, initial));
  const change = useCallback(
    (more: Partial<T>) => {
      setDraft((before) => {
        const after = { ...before, ...more };
        const text = JSON.stringify(after);
        if (text.length <= longestDraft) sessionStorage.setItem(storageKeyOf(name), text);
        return after;
      });
    },
    [name],
  );
  const clear = useCallback(() => sessionStorage.removeItem(storageKeyOf(name)), [name]);
  return [draft, change, clear];
};
