import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Webhook as Signer } from 'standardwebhooks';
import { failureText, readRetryAfter } from '@fleet/contracts/faults';
import { releaseVersion } from '@fleet/contracts/service';
import { isWebhookTarget } from '@fleet/contracts/webhooks';
import type { NotSent, OutgoingMessage, Sending } from '@fleet/ports';
import type { ResolvedAddress, WebhookOptions } from './webhook-options';

/** The IP address of a webhook's URL, resolved and checked once: messages are sent only there. */
export interface ResolvedEndpoint extends ResolvedAddress {
  readonly url: URL;
}

const refused = (why: string): NotSent => ({ why, isGone: false, isTarget: true });

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

/** Rejects at the timeout; the work continues in the background. */
const within = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const over = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('the time is over'))),
  );
  return Promise.race([work, over]);
};

/**
 * Resolves the endpoint of a webhook. Every IP address of the name must be allowed; one of those is used.
 * @returns the endpoint, or why nothing is sent to it
 */
export const resolveEndpoint = async (
  address: string,
  options: WebhookOptions,
): Promise<ResolvedEndpoint | NotSent> => {
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
  return refused(`${host} is in a private network, or this machine; FLEET_WEBHOOK_NETWORKS lists the allowed networks`);
};

/** Maximum bytes of response headers; the body is not read. */
const largestHeaders = 16 * 1024;

const optionsOf = ({ url, address, family }: ResolvedEndpoint, headers: OutgoingHttpHeaders, signal: AbortSignal) => ({
  method: 'POST',
  // The checked IP address: the name is not resolved again.
  host: address,
  family,
  port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
  path: `${url.pathname}${url.search}`,
  headers: { ...headers, host: url.host },
  // The certificate must match the name.
  servername: withoutBrackets(url.hostname),
  agent: false as const,
  maxHeaderSize: largestHeaders,
  signal,
});

const answerOf = (
  endpoint: ResolvedEndpoint,
  body: string,
  headers: OutgoingHttpHeaders,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = endpoint.url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sending = send(optionsOf(endpoint, headers, signal), resolve);
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

/** Sends a message once; never throws. */
export const sendMessage = async (
  endpoint: ResolvedEndpoint,
  { id, secret, message }: OutgoingMessage & { readonly secret: Buffer },
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
    const answer = await answerOf(endpoint, body, headers, signal);
    answer.on('error', () => undefined).destroy();
    return judged(answer, now);
  } catch (error) {
    const what = signal.aborted ? `it did not answer within ${String(timeoutMs / 1000)} s` : failureText(error);
    return { why: what, isGone: false, isTarget: true };
  }
};
