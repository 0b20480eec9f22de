import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '@fleet/contracts/service';
import type { Authenticity } from '@fleet/ports';

/** A key of this installation. */
export interface InstallationKey {
  /** Identifies the key without revealing it: the beginning of a hash. */
  readonly id: string;
  readonly secret: Buffer;
}

/** Stored beside the record in `session.json`. */
export interface Signature {
  readonly key: string;
  /** HMAC-SHA-256, base64url. */
  readonly mac: string;
}

/**
 * The record's identity comes first, so that a record cannot pass for that of another session or another signed text.
 */
const signedText = (session: object): string => {
  const { request } = session as { request?: { proposal?: unknown } };
  const identity = [Reflect.get(session, 'id'), request?.proposal].map((part) => JSON.stringify(part ?? null));
  return ['phenix-fleet session.json 1', ...identity, canonicalJson(session)].join('\n');
};

const macOf = (text: string, { secret }: InstallationKey): Buffer => createHmac('sha256', secret).update(text).digest();

export const keyOf = (secret: Buffer): InstallationKey => ({
  id: createHash('sha256').update('phenix-fleet installation key id ').update(secret).digest('hex').slice(0, 8),
  secret,
});

/** @param session as parsed by `JSON.parse` */
export const sign = (session: object, key: InstallationKey): Signature => signText(signedText(session), key);

/** @param text begins with its kind, so that a text of one kind cannot pass for another */
export const signText = (text: string, key: InstallationKey): Signature => ({
  key: key.id,
  mac: macOf(text, key).toString('base64url'),
});

const isSignature = (value: unknown): value is Signature =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'key') === 'string' &&
  typeof Reflect.get(value, 'mac') === 'string';

/** Whether one of the keys has signed the record. */
export const authenticityOf = (session: object, signature: unknown, keys: readonly InstallationKey[]): Authenticity =>
  authenticityOfText(() => signedText(session), signature, keys);

/** Whether one of the keys has signed the text. */
export const authenticityOfText = (
  text: () => string,
  signature: unknown,
  keys: readonly InstallationKey[],
): Authenticity => {
  if (keys.length === 0) return 'no_key';
  if (signature === undefined) return 'unsigned';
  if (!isSignature(signature)) return 'altered';
  const key = keys.find(({ id }) => id === signature.key);
  if (key === undefined) return 'unknown_key';
  const [given, expected] = [Buffer.from(signature.mac, 'base64url'), macOf(text(), key)];
  return given.length === expected.length && timingSafeEqual(given, expected) ? 'authentic' : 'altered';
};

/** Digest of a record's content: 32 hexadecimal digits. */
export const digestOf = (session: object): string =>
  createHash('sha256').update(canonicalJson(session)).digest('hex').slice(0, 32);
