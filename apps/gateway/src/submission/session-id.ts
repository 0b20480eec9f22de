import { createHash } from 'node:crypto';
import { ulid } from 'ulid';

/** A new id; ids sort by the time they were made. */
export const newSessionId = (now: number): string => ulid(now).toLowerCase();

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The id that belongs to an idempotency key. Derived, not stored: a repeated submission meets the session of the first one
 * whatever died in between, and creating a session is atomic. Such ids do not sort by time; lists sort by `createdAt`.
 */
export const sessionIdOfKey = (key: string): string => {
  const bytes = createHash('sha256').update(`phenix-fleet session ${key}`).digest();
  const letters = Array.from(bytes.subarray(0, 26), (byte) => alphabet.charAt(byte & 31));
  return alphabet.charAt((bytes[0] ?? 0) & 7) + letters.slice(1).join('');
};
