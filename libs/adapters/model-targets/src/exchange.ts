import { ReadableStream } from 'node:stream/web';
import { readRetryAfter } from '@fleet/contracts/faults';
import type { Dispatcher } from 'undici';
import type { TargetSettings } from './target-settings';

/** Headers sent to a target: vendors' clients would add this machine's platform and values from its environment. */
const sentHeaders = ['content-type', 'accept', 'authorization', 'x-api-key', 'x-goog-api-key', 'anthropic-version'];
const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];
/** A reply is text of some thousand tokens. */
const largestStream = 8 * 1024 * 1024;
const largestError = 64 * 1024;
const streamTypes = /^(text\/event-stream|application\/(x-)?ndjson)\b/;

/** The pool of all targets, created with the first call, which also loads its library. */
export type Connections = () => Promise<Dispatcher>;

/** The parts of the HTTP exchange that explain a missing reply. */
export interface WireTrace {
  status?: number;
  /** The beginning of a response that is not a stream. */
  body?: string;
  retryAfterMs?: number;
  /** A connection error. */
  broken?: unknown;
  /** The response is not a stream, or has no end. */
  wrong?: string;
}

/**
 * The single request of one call, sent only to the target's URL, without proxy and redirects. A vendor's client
 * receives its `fetch`. How the client reports errors does not matter, because the exchange has recorded them.
 */
export class Exchange {
  readonly seen: WireTrace = {};

  constructor(
    private readonly settings: Pick<TargetSettings, 'baseUrl' | 'key'>,
    private readonly connections: Connections,
    readonly signal: AbortSignal,
  ) {}

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = this.checked(typeof input === 'object' && 'url' in input ? input.url : String(input));
    if (typeof init.body !== 'string') throw new Error('a request to a model has a body of text');
    const answer = await this.sent(url, init.body, new Headers(init.headers));
    const { statusCode: status, headers } = answer;
    const type = String(headers['content-type'] ?? 'text/event-stream');
    this.seen.status = status;
    if (status < 200 || status > 299) await this.readError(answer);
    else if (!streamTypes.test(type))
      await this.readError(answer, `it answered with ${type.slice(0, 80)}, not a stream`);
    return new Response(ReadableStream.from(this.bounded(answer.body)), { status, headers: { 'content-type': type } });
  };

  private checked(address: string): string {
    if (address.startsWith(`${this.settings.baseUrl}/`) && new URL(address).href === address) return address;
    this.seen.wrong = `${address.slice(0, 200)} is not below ${this.settings.baseUrl}`;
    throw new Error(this.seen.wrong);
  }

  private async sent(url: string, body: string, given: Headers): Promise<Dispatcher.ResponseData> {
    const mayTell = (name: string): boolean => this.settings.key !== undefined || !keyHeaders.includes(name);
    const headers = Object.fromEntries([...given].filter(([name]) => sentHeaders.includes(name) && mayTell(name)));
    const { request } = await import('undici');
    const dispatcher = await this.connections();
    const options = { method: 'POST', headers, body, dispatcher, signal: this.signal } as const;
    try {
      return await request(url, { ...options, headersTimeout: 0, bodyTimeout: 0 });
    } catch (error) {
      this.seen.broken = error;
      throw error;
    }
  }

  private async readError({ body, headers, statusCode }: Dispatcher.ResponseData, wrong?: string): Promise<never> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of this.bounded(body)) {
      parts.push(part);
      size += part.length;
      if (size >= largestError) break;
    }
    this.seen.body = Buffer.concat(parts).subarray(0, largestError).toString('utf8');
    const retryAfterMs = retryAfterOf(headers, this.seen.body);
    if (retryAfterMs !== undefined) this.seen.retryAfterMs = retryAfterMs;
    if (wrong !== undefined) this.seen.wrong = wrong;
    throw new Error(wrong ?? `it answered ${statusCode}`);
  }

  private async *bounded(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    try {
      for await (const part of body) {
        size += part.length;
        if (size > largestStream) {
          this.seen.wrong = `it sent more than ${largestStream} bytes`;
          throw new Error(this.seen.wrong);
        }
        yield part;
      }
    } catch (error) {
      this.seen.broken ??= error;
      throw error;
    }
  }
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0];

/** Milliseconds, from the headers, or from the body as Google sends it. */
const retryAfterOf = (headers: Dispatcher.ResponseData['headers'], body: string): number | undefined => {
  const exact = /^\d{1,9}(\.\d+)?$/.exec(textOf(headers['retry-after-ms']) ?? '')?.[0];
  if (exact !== undefined) return Number(exact);
  const headerMs = readRetryAfter(textOf(headers['retry-after']), Date.now());
  if (headerMs !== undefined) return headerMs;
  const delay = /"retryDelay"\s*:\s*"(\d{1,6}(?:\.\d+)?)s"/.exec(body)?.[1];
  return delay === undefined ? undefined : Number(delay) * 1000;
};
