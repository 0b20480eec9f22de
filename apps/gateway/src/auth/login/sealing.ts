import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];

/** A secret that only a browser has: 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** A name derived from a secret that does not reveal it. */
export const nameOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const keyOf = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'phenix-fleet login of a browser', 32));

/** Encrypts text with a secret. */
export const sealed = (text: string, secret: string): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, keyOf(secret), nonce);
  const inside = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), inside]).toString('base64');
};

/** The decrypted text; undefined if it was encrypted with another secret, or changed. */
export const unsealed = (text: string, secret: string): string | undefined => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, keyOf(secret), bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const inside = decipher.update(bytes.subarray(nonceBytes + tagBytes));
  try {
    return Buffer.concat([inside, decipher.final()]).toString('utf8');
  } catch {
    // The only possible error of an authenticated decryption.
    return undefined;
  }
};
