import { errnoOf } from '@fleet/contracts/faults';
import type { ModelFailureClass } from '@fleet/contracts/models';
import type { WireTrace } from './exchange';

export interface CallFailure {
  readonly class: ModelFailureClass;
  readonly why: string;
}

const overflow =
  /context[_ ]length|context window|maximum context|prompt is too long|too many tokens|token count.{0,40}exceeds|exceeds? the (available|maximum) context|request_too_large/i;
const spent = /insufficient_quota|billing[_ ]hard|credit balance|PerDay|check your plan and billing/i;
const refused = /content_filter|content management policy|content_policy|PROHIBITED_CONTENT/i;
const limited = /rate_limit|rate limit|too many requests|RESOURCE_EXHAUSTED/i;
const troubled = /overloaded|unavailable|internal|server_error|api_error|try again/i;

/** The message in an error's JSON, or the text itself; one short line. */
const wordsOf = (body: string): string => {
  const message =
    /"message"\s*:\s*"((?:[^"\\]|\\.){1,500})"/.exec(body)?.[1] ??
    /"error"\s*:\s*"((?:[^"\\]|\\.){1,500})"/.exec(body)?.[1];
  return (message ?? body)
    .replace(/<[^>]{0,200}>/g, ' ')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 200);
};

const byNumber: Readonly<Partial<Record<number, ModelFailureClass>>> = {
  401: 'auth',
  402: 'quota',
  403: 'auth',
  // Gateways return it for transient failures.
  404: 'unavailable',
  408: 'unavailable',
  409: 'unavailable',
  425: 'unavailable',
};

const byStatus = (status: number, body: string, hasDelay: boolean): ModelFailureClass => {
  const known = byNumber[status];
  if (known !== undefined) return known;
  // Google uses the same text for a per-minute limit, but with a retry delay.
  if (status === 429) return spent.test(body) && !hasDelay ? 'quota' : 'rate_limit';
  // Below 400 is a redirect, which is not followed.
  if (status < 400 || status >= 500) return 'unavailable';
  if (overflow.test(body)) return 'overflow';
  if (spent.test(body)) return 'quota';
  return refused.test(body) ? 'refused' : 'bad_request';
};

/** For an error in the middle of a stream. */
const byWords = (words: string): ModelFailureClass => {
  if (overflow.test(words)) return 'overflow';
  if (spent.test(words)) return 'quota';
  if (limited.test(words)) return 'rate_limit';
  return troubled.test(words) ? 'unavailable' : 'bad_answer';
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** An error in the stream, with its kind, as vendors' clients report it. */
const textOfError = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'error' in error ? JSON.stringify(error.error) : '';

/**
 * Classifies a failed call by the HTTP exchange, independent of the vendor's client.
 * @param error of the call
 */
export const classify = (seen: WireTrace, error: unknown): CallFailure => {
  const { status = 0, body, wrong, broken, retryAfterMs } = seen;
  if (wrong !== undefined) {
    return { class: 'bad_answer', why: body === undefined ? wrong : `${wrong}: ${wordsOf(body)}` };
  }
  if (body !== undefined) {
    return {
      class: byStatus(status, body, retryAfterMs !== undefined),
      why: `it answered ${status}: ${wordsOf(body)}`,
    };
  }
  if (broken !== undefined) {
    const code = errnoOf(broken);
    return {
      class: 'unavailable',
      why: `the connection broke: ${code === undefined ? '' : `${code}, `}${wordsOf(messageOf(broken))}`,
    };
  }
  const words = messageOf(error);
  return { class: byWords(`${words} ${textOfError(error)}`), why: `no reply came: ${wordsOf(words)}` };
};
