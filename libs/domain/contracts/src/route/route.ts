import type { Action } from './actions';
import type { Described, JsonSchema, Schema } from '../schema/schema';

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Query parameters by name; all of them are optional. */
export type QuerySchemas = Readonly<Record<string, JsonSchema>>;

/** A header of a request. */
interface RequestHeader {
  readonly description: string;
  readonly required?: boolean;
}

/**
 * A route, declared once. The gateway serves it (`@Handles`) and reads its query by this declaration; the OpenAPI document, both clients, the
 * table of permissions and options of phx are generated from it (docs/adr/0059-routes-are-declared-once.md).
 */
export interface Route {
  readonly method: Method;
  /** `/v1/sessions/{id}`; a parameter called `path` is the rest of the URL, with its slashes. */
  readonly path: string;
  /** An action of the policy, or `open`: no key is needed. */
  readonly permission: Action | 'open';
  /** One line that begins with a capital letter and has no full stop. */
  readonly summary: string;
  readonly description?: string;
  /** Path parameters whose names do not explain them. */
  readonly parameters?: Readonly<Record<string, JsonSchema>>;
  readonly query?: QuerySchemas;
  /** Headers of the request. */
  readonly headers?: Readonly<Record<string, RequestHeader>>;
  /** Schema of a JSON body. */
  readonly body?: JsonSchema;
  /** The body is optional. */
  readonly bodyMayBeAbsent?: true;
  /** Media types of a body that is not JSON. */
  readonly rawBody?: readonly string[];
  /** Example bodies. */
  readonly examples?: readonly object[];
  /** Absent: 200. */
  readonly status?: number;
  /** Schema of a JSON response. */
  readonly answer?: JsonSchema;
  /** Media type of a response that is not JSON. */
  readonly media?: string;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Further responses by status: not errors, or errors in another form than `problem+json`. */
  readonly otherAnswers?: Readonly<Record<number, { readonly description: string; readonly answer?: JsonSchema }>>;
  /** Messages besides the response: events of a stream, messages to a webhook. */
  readonly messages?: readonly JsonSchema[];
  /** External schemas of the OpenAPI document: `{ title }` as body or answer refers to one. */
  readonly components?: Readonly<Record<string, object>>;
  /** Statuses of its own errors, in addition to those of every route. */
  readonly errors?: readonly number[];
}

/** A route with its name in the OpenAPI document. */
export type NamedRoute<R extends Route = Route> = R & { readonly operationId: string };

/** Routes by group and name. */
type Groups = Readonly<Record<string, Readonly<Record<string, Route>>>>;

/** Declares the routes of an area: `list` of the group `sessions` has the operation id `sessions_list`. */
export const declareRoutes = <const G extends Groups>(
  groups: G,
): { readonly [A in keyof G]: { readonly [N in keyof G[A]]: NamedRoute<G[A][N]> } } =>
  Object.fromEntries(
    Object.entries(groups).map(([group, routes]) => [
      group,
      Object.fromEntries(
        Object.entries(routes).map(([name, route]) => [name, { ...route, operationId: `${group}_${name}` }]),
      ),
    ]),
  ) as { readonly [A in keyof G]: { readonly [N in keyof G[A]]: NamedRoute<G[A][N]> } };

/** The values of a parsed query: a parameter with a default always has a value. */
export type QueryValues<Q extends QuerySchemas> = {
  readonly [K in keyof Q]: Q[K] extends { readonly default: unknown }
    ? Described<Q[K]>
    : Q[K] extends Schema<infer T>
      ? T | undefined
      : never;
};

/** Summary of routes below `/v1/admin`. */
export const forAdministrators = 'For administrators; disabled with FLEET_ADMIN_API=off.';

/** Header of responses with a session. */
export const sessionTag = { ETag: 'changes whenever the session changes' } as const;
/** Headers of conditional requests about a session. */
export const ifMatch = {
  'If-Match': { description: 'last known ETag; 412 if the session has changed since' },
} as const;
export const ifNoneMatch = { 'If-None-Match': { description: '304 if the session has not changed' } } as const;
