import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** The part of the web framework's request that the gateway uses. */
export interface HttpRequest {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  /** IP address of the client according to trusted proxies; see `clientIp`. */
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** The part of the web framework's reply that the gateway uses. */
export interface HttpReply {
  readonly sent: boolean;
  readonly raw: ServerResponse;
  code(status: number): this;
  header(name: string, value: string | number): this;
  send(body?: string | Buffer | Readable | object): this;
  /** Takes the response over from the framework; the caller writes to `raw` and ends it. */
  hijack(): this;
  getHeaders(): Record<string, number | string | string[] | undefined>;
}
