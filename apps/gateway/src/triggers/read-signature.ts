import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Seconds that a message may be old, or ahead: a spool signs anew what it sends later (Standard Webhooks, "Verifying webhook authenticity"). */
const toleranceS = 300;

/** A message as its signature is over it. */
export interface SignedMessage {
  /** The same whenever it is sent again. */
  readonly id: string;
  readonly seconds: string;
  /** Base64 of each signature of the version that is known. */
  readonly signatures: readonly string[];
}

const idForm = /^[\x21-\x7e]{1,200}$/;
const secondsForm = /^\d{1,12}$/;
const signatureForm = /^v1,([A-Za-z0-9+/]{43}=)$/;

/** What the headers say; or what is wrong with them. */
export const readSignature = (
  headers: IncomingHttpHeaders,
  nowMs: number,
): SignedMessage | { readonly why: string } => {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': said } = headers;
  if (typeof id !== 'string' || !idForm.test(id))
    return { why: 'webhook-id is missing or holds more than 200 visible characters' };
  if (typeof seconds !== 'string' || !secondsForm.test(seconds))
    return { why: 'webhook-timestamp is missing or not seconds since 1970' };
  const offS = Math.round(nowMs / 1000 - Number(seconds));
  if (Math.abs(offS) > toleranceS) {
    const when = offS > 0 ? `${String(offS)} s old` : `${String(-offS)} s ahead`;
    return {
      why: `webhook-timestamp is ${when}; ${String(toleranceS)} s are allowed: sign it when it is sent, and look at the clocks`,
    };
  }
  const signatures = (typeof said === 'string' ? said.split(' ') : []).flatMap(
    (one) => signatureForm.exec(one)?.[1] ?? [],
  );
  if (signatures.length === 0) return { why: 'webhook-signature holds no signature of the form v1,BASE64' };
  return { id, seconds, signatures };
};

/** Whether one of the signatures was made with one of the secrets, as https://www.standardwebhooks.com has it. */
export const isSignedWith = (
  { id, seconds, signatures }: SignedMessage,
  bytes: Buffer,
  secrets: readonly Buffer[],
): boolean =>
  secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${id}.${seconds}.`).update(bytes).digest();
    return signatures.some((one) => timingSafeEqual(Buffer.from(one, 'base64'), expected));
  });
