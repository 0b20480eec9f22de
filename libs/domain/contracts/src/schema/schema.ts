/**
 * Schemas: each record is declared once, as a JSON Schema with its TypeScript type. Type, validation (`mistakesIn`), defaults of older
 * records (`withDefaults`) and the OpenAPI document are derived from it. Schemas are plain data without dependencies: pods without packages
 * and the command line load them as well (docs/adr/0005-one-schema-for-each-record.md).
 */
export type TypeName = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
type Scalar = string | number | boolean;

/** The part of JSON Schema (2020-12, which OpenAPI 3.1 includes) that our records need; `mistakesIn` validates all of it. */
export interface JsonSchema {
  readonly type?: TypeName | readonly TypeName[];
  /** Its name in the OpenAPI document; a schema without one is inlined. */
  readonly title?: string;
  readonly description?: string;
  /** The value of an absent member. */
  readonly default?: unknown;
  readonly enum?: readonly Scalar[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'date-time';
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** False: only `properties`. Absent: other members are allowed and kept. */
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly maxProperties?: number;
  /** The allowed values in words, if the keywords are hard to read (a pattern). */
  readonly 'x-allowed'?: string;
}

declare const described: unique symbol;

/** A JSON Schema of values of type T. */
export interface Schema<T> extends JsonSchema {
  /** Never set: it carries the type. */
  readonly [described]?: T;
}

/** The type of the values of a schema. */
export type Described<S> = S extends Schema<infer T> ? T : never;

type Members = Readonly<Record<string, Schema<unknown>>>;
type Flat<T> = { readonly [K in keyof T]: T[K] };
type RequiredOf<R extends Members> = { readonly [K in keyof R]: Described<R[K]> };
type OptionalOf<O extends Members> = { readonly [K in keyof O]?: Described<O[K]> };
type RecordOf<R extends Members, O extends Members> = Flat<
  [O] extends [never] ? RequiredOf<R> : RequiredOf<R> & OptionalOf<O>
>;

const withWhat = (what: string | undefined): JsonSchema => (what === undefined ? {} : { description: what });

export const text = (what?: string, keywords: JsonSchema = {}): Schema<string> => ({
  type: 'string',
  ...withWhat(what),
  ...keywords,
});
export const number = (what?: string, keywords: JsonSchema = {}): Schema<number> => ({
  type: 'number',
  ...withWhat(what),
  ...keywords,
});
export const integer = (what?: string, keywords: JsonSchema = {}): Schema<number> => ({
  type: 'integer',
  ...withWhat(what),
  ...keywords,
});
export const flag = (what?: string, keywords: JsonSchema = {}): Schema<boolean> => ({
  type: 'boolean',
  ...withWhat(what),
  ...keywords,
});
/** A member that is true or absent. */
export const mark = (what?: string): Schema<true> => ({ type: 'boolean', enum: [true], ...withWhat(what) });
export const choice = <const T extends string>(
  values: readonly T[],
  what?: string,
  keywords: JsonSchema = {},
): Schema<T> => ({
  type: 'string',
  enum: values,
  ...withWhat(what),
  ...keywords,
});
/** A layout version. */
export const exactly = <T extends number>(value: T, what?: string): Schema<T> => ({
  type: 'integer',
  enum: [value],
  ...withWhat(what),
});
export const list = <T>(items: Schema<T>, what?: string, keywords: JsonSchema = {}): Schema<readonly T[]> => ({
  type: 'array',
  items,
  ...withWhat(what),
  ...keywords,
});
/** Arbitrary names, values of one type. */
export const mapOf = <T>(
  values: Schema<T>,
  what?: string,
  keywords: JsonSchema = {},
): Schema<Readonly<Record<string, T>>> => ({
  type: 'object',
  additionalProperties: values,
  ...withWhat(what),
  ...keywords,
});
/** An arbitrary object. @param title its name in the OpenAPI document */
export const anyObject = <T extends object>(what?: string, title?: string): Schema<T> => ({
  type: 'object',
  additionalProperties: true,
  ...(title !== undefined && { title }),
  ...withWhat(what),
});

/**
 * An object; unknown members are kept. A member of `required` with a default may be absent in an older record.
 * @param title its name in the OpenAPI document
 * @param optional members that may be absent
 */
export function record<R extends Members, O extends Members = never>(
  title: string,
  required: R,
  optional?: O,
  what?: string,
): Schema<RecordOf<R, O>>;
export function record<R extends Members, O extends Members = never>(
  required: R,
  optional?: O,
  what?: string,
): Schema<RecordOf<R, O>>;
export function record(...given: readonly (string | Members | undefined)[]): JsonSchema {
  const [title, required, optional, what] = (typeof given[0] === 'string' ? given : [undefined, ...given]) as readonly [
    string | undefined,
    Members,
    Members?,
    string?,
  ];
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    ...(title !== undefined && { title }),
    ...withWhat(what),
  };
}

const closedSchemas = new WeakMap<JsonSchema, JsonSchema>();

const closedMembers = (members: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, closedInside(member)]));

const closedInside = (schema: JsonSchema): JsonSchema => {
  const known = closedSchemas.get(schema);
  if (known !== undefined) return known;
  const { properties, items, additionalProperties = false } = schema;
  const made: JsonSchema = {
    ...schema,
    ...(properties !== undefined && { properties: closedMembers(properties), additionalProperties }),
    ...(items !== undefined && { items: closedInside(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: closedInside(additionalProperties) }),
  };
  closedSchemas.set(schema, made);
  closedSchemas.set(made, made);
  return made;
};

/**
 * The same for requests of clients: unknown members are refused at any depth. (A record keeps them, because a newer release may have written
 * them.)
 */
export const closed = <T>(schema: Schema<T>): Schema<T> => closedInside(schema);

/** A request of a client: any of these members, and no others. @param title its name in the OpenAPI document */
export const partial = <O extends Members>(title: string, members: O, what?: string): Schema<Flat<OptionalOf<O>>> =>
  closed(record(title, {}, members, what));

/** A schema with its default value. */
export const usual = <T>(schema: Schema<T>, value: T): Schema<T> & { readonly default: T } => ({
  ...schema,
  default: value,
});
