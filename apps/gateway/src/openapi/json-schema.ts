/** The part of JSON Schema (which OpenAPI 3.1 has whole) that the API's description uses. */
export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly (string | number | boolean)[];
  readonly oneOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly $ref?: string;
}

const named = (type: 'string' | 'number' | 'integer' | 'boolean', description?: string): JsonSchema => ({
  type,
  ...(description !== undefined && { description }),
});

export const text = (description?: string): JsonSchema => named('string', description);
export const number = (description?: string): JsonSchema => named('number', description);
export const integer = (description?: string): JsonSchema => named('integer', description);
export const flag = (description?: string): JsonSchema => named('boolean', description);
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const oneOf = (values: readonly string[], description?: string): JsonSchema => ({
  type: 'string',
  enum: values,
  ...(description !== undefined && { description }),
});
export const listOf = (items: JsonSchema, description?: string): JsonSchema => ({
  type: 'array',
  items,
  ...(description !== undefined && { description }),
});
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Keys that a type may leave out. */
type OptionalKey<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T] & string;

/**
 * An object's schema that has to name every member of the type: a member that is added to the type and not here does not compile.
 * @param optional the members that may be absent, no more and no fewer than the type says
 */
export const objectOf = <T extends object>(
  properties: { readonly [K in keyof T & string]-?: JsonSchema },
  optional: readonly OptionalKey<T>[] = [],
  description?: string,
): JsonSchema => {
  const left: readonly string[] = optional;
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((key) => !left.includes(key)),
    additionalProperties: false,
    ...(description !== undefined && { description }),
  };
};

/** An object of which the description names only what matters. */
export const openObject = (description: string): JsonSchema => ({
  type: 'object',
  additionalProperties: true,
  description,
});
