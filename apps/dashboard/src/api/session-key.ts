const place = 'phenix-fleet.key';

/** The key that was given in this tab. It is gone with the tab, and no other site and no link can read it. */
export const keptKey = (): string | undefined => sessionStorage.getItem(place) ?? undefined;

export const keepKey = (key: string): void => {
  sessionStorage.setItem(place, key);
};

export const forgetKey = (): void => {
  sessionStorage.removeItem(place);
};
