import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '@fleet/contracts/faults';
import type { Clock, Metrics } from '@fleet/ports';
import { request, type Dispatcher } from 'undici';
import { ApiFailure } from './api-failure';
import type { ClusterAccess } from './pooled-kube-config';
import { retryAfterMs, retryDelay, type RetryPolicy } from './retry-policy';
import type { TokenBucket } from './token-bucket';

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The Kubernetes verb, if the method does not imply it. */
  readonly verb?: 'list' | 'watch';
  /** For example `/apis/batch/v1/namespaces/fleet-jobs/jobs`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Names the call in errors. */
  readonly what: string;
}

export interface ApiCallerOptions {
  readonly access: ClusterAccess;
  readonly bucket: TokenBucket;
  readonly clock: Clock;
  readonly retries: RetryPolicy;
  /** Timeout of one try, in milliseconds. */
  readonly timeoutMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Absent: calls are not counted. */
  readonly metrics?: Pick<Metrics, 'count'> | undefined;
}

const verbs = { GET: 'get', POST: 'create', DELETE: 'delete' } as const;

/** Bytes read of an error response. */
const errorBodyBytes = 16 * 1024;

/** Calls the API server within the rate limit, over one pool, with a timeout per try and retries within a budget. */
export class ApiCaller {
  constructor(private readonly options: ApiCallerOptions) {}

  /** Milliseconds that a call made now would wait for the rate limit. */
  waitMs(): number {
    return this.options.bucket.waitMs();
  }

  /** The JSON of the response. @throws ApiFailure */
  async json(call: ApiCall): Promise<unknown> {
    const text = await this.text(call);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new ApiFailure(call.what, { status: undefined, reason: 'NoJson' }, 'the answer is not JSON', cause);
    }
  }

  /** The text of the response. @throws ApiFailure */
  async text(call: ApiCall): Promise<string> {
    const { retries, random } = this.options;
    // Monotonic: if the wall clock were set back, a call could be retried for hours.
    let began: number | undefined;
    for (let failedTries = 1; ; failedTries += 1) {
      await this.turn();
      began ??= performance.now();
      try {
        return await this.tryOnce(call);
      } catch (error) {
        const delay = retryDelay(retries, error, failedTries, performance.now() - began, random());
        if (delay === undefined) throw error;
        await sleep(delay);
      }
    }
  }

  /**
   * Opens a call with a streamed response: the caller reads or aborts the body. The headers must arrive within the
   * timeout.
   * @throws ApiFailure
   */
  async open(call: ApiCall, signal: AbortSignal): Promise<Dispatcher.ResponseData['body']> {
    await this.turn();
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error(`no answer within ${this.options.timeoutMs} ms`)),
      this.options.timeoutMs,
    );
    try {
      const response = await this.send(call, AbortSignal.any([signal, late.signal]));
      return response.body;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Waits for the rate limit. The timeout of a try begins afterwards: otherwise a long queue would use up the rate with
   * calls that are never made.
   */
  private async turn(): Promise<void> {
    const wait = this.options.bucket.take();
    if (wait > 0) await sleep(wait);
  }

  private async tryOnce(call: ApiCall): Promise<string> {
    const signal = AbortSignal.timeout(this.options.timeoutMs);
    const response = await this.send(call, signal);
    return response.body.text().catch((error: unknown) => {
      throw connectionFailure(call, error);
    });
  }

  private async send(call: ApiCall, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { access } = this.options;
    const url = urlOf(access.server, call);
    let response: Dispatcher.ResponseData;
    try {
      // An unreadable token or a failing credential helper counts as a connection failure.
      const { headers, dispatcher } = await access.authorise(url);
      response = await request(url, {
        method: call.method,
        dispatcher,
        signal,
        headers: {
          ...headers,
          accept: 'application/json',
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      });
    } catch (error) {
      this.answered(call, 'none');
      throw connectionFailure(call, error);
    }
    this.answered(call, String(response.statusCode));
    if (response.statusCode >= 300) throw await this.refusal(call, response);
    return response;
  }

  private answered({ method, verb }: ApiCall, code: string): void {
    this.options.metrics?.count('phenix_fleet_kubernetes_calls_total', { verb: verb ?? verbs[method], code });
  }

  private async refusal(call: ApiCall, response: Dispatcher.ResponseData): Promise<ApiFailure> {
    const text = await response.body.text().catch(() => '');
    const { reason, message } = statusOf(text.slice(0, errorBodyBytes));
    const retryAfterHeader = response.headers['retry-after'];
    const retryAfter = retryAfterMs(
      Array.isArray(retryAfterHeader) ? retryAfterHeader[0] : retryAfterHeader,
      this.options.clock.now(),
    );
    return new ApiFailure(call.what, { status: response.statusCode, reason, retryAfterMs: retryAfter }, message);
  }
}

const urlOf = (server: string, { path, query = {} }: ApiCall): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? `${server}${path}` : `${server}${path}?${new URLSearchParams(given).toString()}`;
};

/** The connection broke or timed out. */
const connectionFailure = (call: Pick<ApiCall, 'what'>, error: unknown): ApiFailure => {
  const code = errnoOf(error) ?? 'NoAnswer';
  const message = error instanceof Error ? error.message : String(error);
  return new ApiFailure(call.what, { status: undefined, reason: code }, message, error);
};

/** The content of a `Status` object; a proxy in between may return anything. */
const statusOf = (text: string): { readonly reason: string; readonly message: string } => {
  try {
    const status = JSON.parse(text) as { reason?: unknown; message?: unknown } | null;
    return {
      reason: typeof status?.reason === 'string' ? status.reason : 'Failure',
      message: typeof status?.message === 'string' ? status.message : text.slice(0, 200),
    };
  } catch {
    return { reason: 'Failure', message: text.slice(0, 200) };
  }
};
