import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** The part of the web framework's request that the gateway uses. */
export interface HttpRequest {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  /** Address of the client as far as proxies are believed; `clientAddress` says what it is worth. */
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
  /** Takes the response out of the framework's hands; the caller writes to `raw` and ends it. */
  hijack(): this;
  getHeaders(): Record<string, number | string | string[] | undefined>;
}
