import type { routes } from '@fleet/contracts/routes';
import type { Described } from '@fleet/contracts/schema';

/** What is sent as it is. */
export type RawContent = string | Uint8Array<ArrayBuffer>;

type Groups = typeof routes;
type DeclaredRoute = { readonly [G in keyof Groups]: Groups[G][keyof Groups[G]] }[keyof Groups];

type Parts<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Parts<Rest> : never;
type Path<R> = R extends { readonly path: infer P extends `${string}{${string}` }
  ? { readonly path: { readonly [N in Parts<P>]: string } }
  : unknown;

/** In a URL a number and its text are the same. */
type Parameter<T> = T extends number ? T | `${number}` : T;
type Query<R> = R extends { readonly query: infer Q }
  ? { readonly query?: { readonly [N in keyof Q]?: Parameter<Described<Q[N]>> } }
  : unknown;

type Body<R> = R extends { readonly body: infer S }
  ? R extends { readonly bodyMayBeAbsent: true }
    ? { readonly body?: Described<S> }
    : { readonly body: Described<S> }
  : R extends { readonly rawBody: readonly (infer Type)[] }
    ? { readonly raw: { readonly type: Type; readonly content: RawContent } }
    : unknown;

type Answer<R> = R extends { readonly answer: infer S }
  ? Described<S>
  : R extends { readonly media: `text/${string}` | `${string}ndjson` }
    ? string
    : never;

/** What each route is given, and what it answers, by method and path: as it is declared. */
export type Api = {
  readonly [R in DeclaredRoute as `${R['method']} ${R['path']}`]: Path<R> &
    Query<R> &
    Body<R> & { readonly answer: Answer<R> };
};
