import type { Readable } from 'node:stream';
import type { HttpRequest } from '../http/http-types';

/** Where signed messages come in. */
const triggersPath = '/v1/triggers/';

const bytesOf = new WeakMap<object, Buffer[]>();

/**
 * Keeps the bytes of a signed message as they came: its signature is over those, and not over what they mean.
 * @param most bytes; what is longer is refused by the parser
 */
export const keepSignedBytes = (request: Pick<HttpRequest, 'url'>, payload: Readable, most: number): void => {
  if (!request.url.startsWith(triggersPath)) return;
  const kept: Buffer[] = [];
  bytesOf.set(request, kept);
  let length = 0;
  payload.on('data', (part: Buffer) => {
    length += part.length;
    if (length <= most) kept.push(part);
  });
};

/** Those of a message that was parsed whole. */
export const signedBytes = (request: object): Buffer => Buffer.concat(bytesOf.get(request) ?? []);
