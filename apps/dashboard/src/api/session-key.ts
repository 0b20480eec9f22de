const storageKey = 'phenix-fleet.key';
const screenStorageKey = 'phenix-fleet.screen-key';

/** What a link of a screen has behind its address: `/ui/wall#key=…`. */
const linked = /^#key=([\w.-]+)$/;

/** Whether this page was opened as a wall. Found out once: all that a page asks it asks with one key. */
let isWall = false;

/** The key of the link by which this browser shows the wall; it counts for the wall alone. */
const screenKey = (): string | undefined =>
  isWall ? (localStorage.getItem(screenStorageKey) ?? undefined) : undefined;

/**
 * Keeps the key of a link for this browser. A fragment is sent to nobody, so that no log of a server or proxy has it, and it is taken out of
 * the address and its place in the history before anything is asked.
 * @returns whether there was one
 */
const takeLink = (): boolean => {
  const key = linked.exec(window.location.hash)?.[1];
  if (key === undefined) return false;
  localStorage.setItem(screenStorageKey, key);
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return true;
};

/** To be called before anything is asked. @param wall path of the page of the wall */
export const openScreen = (wall: string): void => {
  isWall = window.location.pathname === wall;
  if (!isWall) return;
  takeLink();
  // Another link in the same tab changes nothing but the fragment.
  window.addEventListener('hashchange', () => {
    if (takeLink()) window.location.reload();
  });
};

/** Whether the page asks with the key of a link. */
export const isByLink = (): boolean => screenKey() !== undefined;

/** The key that was given in this tab, or by the link of a screen. That of a tab is gone with it; no other site and no link can read either. */
export const storedKey = (): string | undefined => screenKey() ?? sessionStorage.getItem(storageKey) ?? undefined;

export const keepKey = (key: string): void => {
  sessionStorage.setItem(storageKey, key);
};

export const forgetKey = (): void => {
  if (isByLink()) localStorage.removeItem(screenStorageKey);
  else sessionStorage.removeItem(storageKey);
};
