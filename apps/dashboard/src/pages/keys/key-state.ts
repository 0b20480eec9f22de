import type { ApiKeyView } from '@fleet/contracts/access';

export type KeyState = 'good' | 'soon' | 'expired' | 'revoked';

/** A key is marked this many milliseconds before its expiry. */
const soonMs = 14 * 24 * 60 * 60 * 1000;

export const keyStateOf = ({ revokedAt, expiresAt }: ApiKeyView, now: number): KeyState => {
  if (revokedAt !== undefined) return 'revoked';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left < soonMs ? 'soon' : 'good';
};

/** Whether it is no longer valid. */
export const isOver = (state: KeyState): boolean => state === 'expired' || state === 'revoked';

/** The displayed keys: in use unless all are requested, with a matching text; the newest first. */
export const keysShown = (
  keys: readonly ApiKeyView[],
  { text, all }: { readonly text: string; readonly all: boolean },
  now: number,
): readonly ApiKeyView[] => {
  const sought = text.trim().toLowerCase();
  return keys
    .filter((key) => all || !isOver(keyStateOf(key, now)))
    .filter(({ owner, label, id }) => [owner, label, id].some((part) => part.toLowerCase().includes(sought)))
    .sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt));
};
