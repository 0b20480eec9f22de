import type { Api, RawContent } from './api';
import { errorOf, readJson, strangerOf } from './api-error';

/** An operation by its method and address, such as `GET /v1/sessions/{id}`. */
export type Address = keyof Api;
export type AnswerOf<A extends Address> = Api[A]['answer'];

/** Members that are undefined are not sent, so they may be. */
type Loose<T> = T extends object
  ? { readonly [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | undefined : T[K] }
  : T;
type Sent<A extends Address> = Omit<Api[A], 'answer'>;
/** What an operation is given: the parameters in its path, its query, its body. */
export type Given<A extends Address> = {
  readonly [K in keyof Sent<A>]: K extends 'query' | 'body' ? Loose<Sent<A>[K]> : Sent<A>[K];
};
export type QueryOf<A extends Address> = Api[A] extends { readonly query?: infer Q } ? NonNullable<Q> : never;
export type BodyOf<A extends Address> = Api[A] extends { readonly body?: infer B } ? Loose<NonNullable<B>> : never;

/** Operations that answer in JSON. */
export type JsonAddress = { [A in Address]: AnswerOf<A> extends string ? never : A }[Address];
/** Operations that answer with text. */
export type TextAddress = {
  [A in Address]: [AnswerOf<A>] extends [never] ? never : AnswerOf<A> extends string ? A : never;
}[Address];

/** What goes with a request beside what its operation is given. */
export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A request as a transport sends it. */
export interface ApiRequest extends Sending {
  readonly method: string;
  /** With the query; it begins with a slash. */
  readonly path: string;
  readonly body?: RawContent;
}

/**
 * Sends a request, with what identifies the one who asks, and gives the answer, whatever it says.
 * @throws what the client's people are told when nobody answers
 */
export type Transport = (request: ApiRequest) => Promise<Response>;

/** What is given may be left out where nothing of it is needed. */
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
  const asked = queryText(query);
  const sent = body === undefined ? raw : { type: 'application/json', content: JSON.stringify(body) };
  return {
    method,
    path: asked === '' ? filled : `${filled}?${asked}`,
    ...sending,
    headers: { ...(sent !== undefined && { 'content-type': sent.type }), ...sending.headers },
    ...(sent !== undefined && { body: sent.content }),
  };
};

/** Calls the operations of a gateway. Types follow from the OpenAPI document. */
export class ApiClient {
  constructor(private readonly transport: Transport) {}

  /**
   * The answer itself, for its headers or to read it as it arrives; also 304, where a tag was sent.
   * @throws ApiError when it is a refusal
   */
  async open<A extends Address>(address: A, ...[given, sending = {}]: Details<A>): Promise<Response> {
    return this.opened(requestOf(address, given ?? {}, sending));
  }

  /** What lies at a link of an answer. @throws ApiError when it is a refusal */
  async follow(link: string, sending: Sending = {}): Promise<Response> {
    return this.opened({ method: 'GET', path: link, ...sending });
  }

  /** The JSON of an answer; what is read of it is up to the caller. @throws ApiError when it is a refusal, or no JSON */
  async json<A extends JsonAddress>(address: A, ...[given, sending = {}]: Details<A>): Promise<AnswerOf<A>> {
    const headers = { accept: 'application/json', ...sending.headers };
    const request = requestOf(address, given ?? {}, { ...sending, headers });
    const answer = await this.opened(request);
    const value = readJson(await answer.text());
    if (value === undefined) throw strangerOf(answer);
    return value as AnswerOf<A>;
  }

  /** An answer that is text. @throws ApiError when it is a refusal */
  async text<A extends TextAddress>(address: A, ...[given, sending = {}]: Details<A>): Promise<string> {
    return (await this.opened(requestOf(address, given ?? {}, sending))).text();
  }

  private async opened(request: ApiRequest): Promise<Response> {
    const answer = await this.transport(request);
    if (answer.ok || answer.status === 304) return answer;
    throw await errorOf(answer);
  }
}
