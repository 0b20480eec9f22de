import { closed, list, record, text, type Described, type Schema } from './schema';

/**
 * Schemas of files that people write (`knowledge/`, the settings of the Kubernetes backend): what JSON Schema can express beyond our
 * records. ajv validates these; `mistakesIn` does not know their keywords.
 */
export const also = <T>(schema: Schema<T>, keywords: Readonly<Record<string, unknown>>): Schema<T> => ({
  ...schema,
  ...keywords,
});

export const matching = (pattern: string): Schema<string> => text(undefined, { pattern });

export const someOf = <T>(items: Schema<T>): Schema<readonly T[]> => list(items, undefined, { minItems: 1 });

/** At least one, none twice. */
export const differing = <T>(items: Schema<T>): Schema<readonly T[]> => also(someOf(items), { uniqueItems: true });

export const oneOf = <S extends readonly Schema<unknown>[]>(...of: S): Schema<Described<S[number]>> =>
  also<Described<S[number]>>({}, { oneOf: of.map(closed) });

/** The members of both. */
export const merged = <A, B>(one: Schema<A>, other: Schema<B>): Schema<A & B> => ({
  type: 'object',
  properties: { ...one.properties, ...other.properties },
  required: [...(one.required ?? []), ...(other.required ?? [])],
});

/** A value for each of these names. */
export const byName = <const T extends string, V>(
  names: readonly T[],
  value: Schema<V>,
): Schema<Readonly<Record<T, V>>> =>
  record(Object.fromEntries(names.map((one) => [one, value] as const))) as Schema<Readonly<Record<T, V>>>;
