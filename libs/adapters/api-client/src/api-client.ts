import type { Api, RawContent } from './api';
import { errorOf, readJson, strangerOf } from './api-error';

/** An operation by its method and path, such as `GET /v1/sessions/{id}`. */
export type Address = keyof Api;
export type AnswerOf<A extends Address> = Api[A]['answer'];

/** Allows undefined for members, which are not sent then. */
type Loose<T> = T extends object
  ? { readonly [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | undefined : T[K] }
  : T;
type Sent<A extends Address> = Omit<Api[A], 'answer'>;
/** Arguments of an operation: path parameters, query and body. */
export type Given<A extends Address> = {
  readonly [K in keyof Sent<A>]: K extends 'query' | 'body' ? Loose<Sent<A>[K]> : Sent<A>[K];
};
export type QueryOf<A extends Address> = Api[A] extends { readonly query?: infer Q } ? NonNullable<Q> : never;
export type BodyOf<A extends Address> = Api[A] extends { readonly body?: infer B } ? Loose<NonNullable<B>> : never;

/** Operations with a JSON response. */
export type JsonAddress = { [A in Address]: AnswerOf<A> extends string ? never : A }[Address];
/** Operations with a text response. */
export type TextAddress = {
  [A in Address]: [AnswerOf<A>] extends [never] ? never : AnswerOf<A> extends string ? A : never;
}[Address];

/** Options of a request in addition to the operation's arguments. */
export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A request as a transport sends it. */
export interface ApiRequest extends Sending {
  readonly method: string;
  /** Includes the query; begins with a slash. */
  readonly path: string;
  readonly body?: RawContent;
}

/**
 * Sends a request with the caller's credentials, and returns the response, whatever its status.
 * @throws an error with a text for users if the gateway is unreachable
 */
export type Transport = (request: ApiRequest) => Promise<Response>;

/** Arguments, optional if the operation requires none. */
export type Details<A extends Address> =
  Partial<Given<A>> extends Given<A>
    ? readonly [given?: Given<A>, sending?: Sending]
    : readonly [given: Given<A>, sending?: Sending];

interface AnyGiven {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly raw?: { readonly type: string; readonly content: RawContent };
}

const queryText = (query: NonNullable<AnyGiven['query']>): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
};

const requestOf = (address: Address, { path = {}, query = {}, body, raw }: AnyGiven, sending: Sending): ApiRequest => {
  const [method = '', pattern = ''] = address.split(' ');
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = queryText(query);
  const sent = body === undefined ? raw : { type: 'application/json', content: JSON.stringify(body) };
  return {
    method,
    path: search === '' ? filled : `${filled}?${search}`,
    ...sending,
    headers: { ...(sent !== undefined && { 'content-type': sent.type }), ...sending.headers },
    ...(sent !== undefined && { body: sent.content }),
  };
};

/** Calls the operations of a gateway. Types are derived from the OpenAPI document. */
export class ApiClient {
  constructor(private readonly transport: Transport) {}

  /**
   * The response itself, for its headers or as a stream; also 304, if an ETag was sent.
   * @throws ApiError for an error response
   */
  async open<A extends Address>(address: A, ...[given, sending = {}]: Details<A>): Promise<Response> {
    return this.opened(requestOf(address, given ?? {}, sending));
  }

  /** The response at a link from another response. @throws ApiError for an error response */
  async follow(link: string, sending: Sending = {}): Promise<Response> {
    return this.opened({ method: 'GET', path: link, ...sending });
  }

  /** The JSON of a response, which the caller validates. @throws ApiError for an error response, or invalid JSON */
  async json<A extends JsonAddress>(address: A, ...[given, sending = {}]: Details<A>): Promise<AnswerOf<A>> {
    const headers = { accept: 'application/json', ...sending.headers };
    const request = requestOf(address, given ?? {}, { ...sending, headers });
    const answer = await this.opened(request);
    const value = readJson(await answer.text());
    if (value === undefined) throw strangerOf(answer);
    return value as AnswerOf<A>;
  }

  /** A text response. @throws ApiError for an error response */
  async text<A extends TextAddress>(address: A, ...[given, sending = {}]: Details<A>): Promise<string> {
    return (await this.opened(requestOf(address, given ?? {}, sending))).text();
  }

  private async opened(request: ApiRequest): Promise<Response> {
    const answer = await this.transport(request);
    if (answer.ok || answer.status === 304) return answer;
    throw await errorOf(answer);
  }
}
