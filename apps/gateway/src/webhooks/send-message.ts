import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Webhook as Signer } from 'standardwebhooks';
import { failureText, isWebhookTarget, readRetryAfter, releaseVersion, type WebhookMessage } from '@fleet/contracts';
import type { ResolvedAddress, WebhookOptions } from './webhook-options';

interface Sent {
  /** What the target answered. */
  readonly status: number;
}

/** Why a message was not taken. */
export interface NotSent {
  readonly why: string;
  readonly status?: number;
  /** The target says that it is no more: nothing of the same is tried again. */
  readonly isGone: boolean;
  /** It is not about the message: the target is away, or asks for time. */
  readonly isTarget: boolean;
  readonly retryAfterMs?: number;
}

export type Sending = Sent | NotSent;
export const isSent = (sending: Sending): sending is Sent => !('why' in sending);

/** A machine that a webhook's address stands for, looked up once and judged: what is sent goes there and nowhere else. */
export interface Place extends ResolvedAddress {
  readonly url: URL;
}

const refused = (why: string): NotSent => ({ why, isGone: false, isTarget: true });

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

/** Rejects when the time is over; what it waited for continues unheard. */
const within = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('the time is over'));
    });
  });
  return Promise.race([work, over]);
};

/**
 * Where a webhook goes now. Every address that the name stands for has to be allowed: the one that is connected to is one of those.
 * @returns the place, or why it is told nothing
 */
export const findPlace = async (address: string, options: WebhookOptions): Promise<Place | NotSent> => {
  const url = new URL(address);
  if (!isWebhookTarget(url, options.targets))
    return refused(`${url.host} is not among the targets that this installation allows (FLEET_WEBHOOK_TARGETS)`);
  const host = withoutBrackets(url.hostname);
  let found: readonly ResolvedAddress[];
  try {
    found = await within(options.resolve(host), AbortSignal.timeout(options.timeoutMs));
  } catch (error) {
    return refused(`the name ${host} cannot be resolved: ${failureText(error)}`);
  }
  const [first] = found;
  if (first === undefined) return refused(`the name ${host} has no address`);
  if (found.every((one) => options.addresses.allows(one.address))) return { ...first, url };
  return refused(
    `${host} is a machine of a private network, or this one; FLEET_WEBHOOK_NETWORKS names those that may be told`,
  );
};

/** Bytes of the headers of an answer; its body is not read. */
const largestHeaders = 16 * 1024;

const optionsOf = ({ url, address, family }: Place, headers: OutgoingHttpHeaders, signal: AbortSignal) => ({
  method: 'POST',
  // The address that was judged: the name is not looked up again.
  host: address,
  family,
  port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
  path: `${url.pathname}${url.search}`,
  headers: { ...headers, host: url.host },
  // A certificate is that of the name.
  servername: withoutBrackets(url.hostname),
  agent: false as const,
  maxHeaderSize: largestHeaders,
  signal,
});

const answerOf = (
  place: Place,
  body: string,
  headers: OutgoingHttpHeaders,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = place.url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sending = send(optionsOf(place, headers, signal), resolve);
    sending.on('error', reject);
    sending.end(body);
  });

const judged = ({ statusCode: status = 0, headers }: IncomingMessage, now: number): Sending => {
  if (status >= 200 && status < 300) return { status };
  const retryAfterMs = readRetryAfter(headers['retry-after'], now);
  const why =
    status >= 300 && status < 400
      ? `it answered ${String(status)}, a redirect, which is not followed`
      : `it answered ${String(status)}`;
  const isTarget = status === 429 || status === 502 || status === 503 || status === 504;
  return { why, status, isGone: status === 410, isTarget, ...(retryAfterMs !== undefined && { retryAfterMs }) };
};

/** A message, with the id that tells it from all others. */
interface OutgoingMessage {
  readonly id: string;
  readonly secret: Buffer;
  readonly message: WebhookMessage;
}

/** Sends a message once; whatever happens is an answer. */
export const sendMessage = async (
  place: Place,
  { id, secret, message }: OutgoingMessage,
  { timeoutMs }: Pick<WebhookOptions, 'timeoutMs'>,
): Promise<Sending> => {
  const body = JSON.stringify(message);
  const now = Date.now();
  const signer = new Signer(secret, { format: 'raw' });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': `phenix-fleet/${releaseVersion}`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': signer.sign(id, new Date(now), body),
  };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await answerOf(place, body, headers, signal);
    answer.on('error', () => undefined).destroy();
    return judged(answer, now);
  } catch (error) {
    const what = signal.aborted ? `it did not answer within ${String(timeoutMs / 1000)} s` : failureText(error);
    return { why: what, isGone: false, isTarget: true };
  }
};
