import { createHash } from 'node:crypto';
import { ulid } from 'ulid';

/** A new id; ids sort by their creation time. */
export const newSessionId = (now: number): string => ulid(now).toLowerCase();

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The id for an idempotency key. Derived, not stored: a repeated submission finds the session of the first one after any crash, and creating
 * a session is atomic. Such ids do not sort by time; lists sort by `createdAt`.
 * @param owner the key's owner, because others may choose the same key; empty: anonymous. Neither contains a line break
 */
export const sessionIdOfKey = (key: string, owner: string): string => {
  const ownKey = owner === '' ? key : `${owner}\n${key}`;
  const bytes = createHash('sha256').update(`phenix-fleet session ${ownKey}`).digest();
  const letters = Array.from(bytes.subarray(0, 26), (byte) => alphabet.charAt(byte & 31));
  return alphabet.charAt((bytes[0] ?? 0) & 7) + letters.slice(1).join('');
};
