const storageKey = 'phenix-fleet.key';
const screenStorageKey = 'phenix-fleet.screen-key';

/** The fragment of a wall display's link: `/ui/wall#key=…`. */
const linked = /^#key=([\w.-]+)$/;

/** Whether this page was opened as a wall. Determined once: all requests of a page use one key. */
let isWall = false;

/** The key of the wall link in this browser; used only for the wall. */
const screenKey = (): string | undefined =>
  isWall ? (localStorage.getItem(screenStorageKey) ?? undefined) : undefined;

/**
 * Stores the key of a link in this browser. A fragment is not sent, so no log of a server or proxy contains it; it is
 * removed from the URL and the history before the first request.
 * @returns whether there was one
 */
const takeLink = (): boolean => {
  const key = linked.exec(window.location.hash)?.[1];
  if (key === undefined) return false;
  localStorage.setItem(screenStorageKey, key);
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return true;
};

/** Must be called before the first request. @param wall path of the wall page */
export const openScreen = (wall: string): void => {
  isWall = window.location.pathname === wall;
  if (!isWall) return;
  takeLink();
  // Another link in the same tab changes only the fragment.
  window.addEventListener('hashchange', () => {
    if (takeLink()) window.location.reload();
  });
};

/** Whether the page uses the key of a link. */
export const isByLink = (): boolean => screenKey() !== undefined;

/**
 * The key entered in this tab, or of a wall link. That of a tab is deleted with it; no other site and no link can read
 * either.
 */
export const storedKey = (): string | undefined => screenKey() ?? sessionStorage.getItem(storageKey) ?? undefined;

export const keepKey = (key: string): void => sessionStorage.setItem(storageKey, key);

export const forgetKey = (): void => {
  if (isByLink()) localStorage.removeItem(screenStorageKey);
  else sessionStorage.removeItem(storageKey);
};
