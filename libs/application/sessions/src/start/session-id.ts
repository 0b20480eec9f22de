import { createHash } from 'node:crypto';
import { ulid } from 'ulid';

/** A new id; ids sort by the time they were made. */
export const newSessionId = (now: number): string => ulid(now).toLowerCase();

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The id that belongs to an idempotency key. Derived, not stored: a repeated submission meets the session of the first one
 * whatever died in between, and creating a session is atomic. Such ids do not sort by time; lists sort by `createdAt`.
 * @param owner whose key it is, for others may choose the same; empty: nobody was asked. Neither holds a line break
 */
export const sessionIdOfKey = (key: string, owner: string): string => {
  const ownKey = owner === '' ? key : `${owner}\n${key}`;
  const bytes = createHash('sha256').update(`phenix-fleet session ${ownKey}`).digest();
  const letters = Array.from(bytes.subarray(0, 26), (byte) => alphabet.charAt(byte & 31));
  return alphabet.charAt((bytes[0] ?? 0) & 7) + letters.slice(1).join('');
};
