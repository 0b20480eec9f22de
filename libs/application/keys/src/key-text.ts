import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A key as a client sends it: `phx_`, the id of the key, `_`, and 256 random bits. */
const keyForm = /^phx_([0-9a-z]{16})_[A-Za-z0-9_-]{43}$/;

/** Id and hash of a key that a client sent. */
export interface ShownKey {
  readonly id: string;
  /** SHA-256 of the whole key; a secret of 256 random bits needs no slower hash. */
  readonly hash: string;
}

/** Undefined for an invalid text. */
export const readKeyText = (text: string): ShownKey | undefined => {
  const [, id] = keyForm.exec(text) ?? [];
  return id === undefined ? undefined : { id, hash: createHash('sha256').update(text).digest('hex') };
};

/** A new key: only its owner gets the text. */
export const newKeyText = (): ShownKey & { readonly text: string } => {
  const id = randomBytes(8).toString('hex');
  const text = `phx_${id}_${randomBytes(32).toString('base64url')}`;
  return { id, text, hash: createHash('sha256').update(text).digest('hex') };
};

/** Constant-time comparison. */
export const isSameHash = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
};
