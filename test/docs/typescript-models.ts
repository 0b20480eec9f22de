import type { ApiDocument, ApiOperation, ApiSchema } from './api-changes';

const header = `// Made from docs/reference/openapi.json by test/docs/openapi.spec.ts; FLEET_WRITE_DOCS=1 writes it again.
import type { JsonValue } from '@fleet/contracts';
`;

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  array: 'readonly unknown[]',
  object: 'Readonly<Record<string, JsonValue>>',
};

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const literals = (values: readonly unknown[]): string => union(values.map((one) => JSON.stringify(one)));
const nameOf = (ref: string): string => ref.split('/').at(-1) ?? '';

/** A member of a type: its name is quoted, and the formatter takes off what is not needed. */
const member = (name: string, type: string, required = true): string =>
  `readonly ${JSON.stringify(name)}${required ? '' : '?'}: ${type};`;

const typeOf = (schema: ApiSchema): string => {
  const { $ref, type, anyOf } = schema;
  if ($ref !== undefined) return nameOf($ref);
  const values = schema.enum ?? ('const' in schema ? [schema['const']] : undefined);
  if (values !== undefined) return literals(values);
  if (anyOf !== undefined) return union(anyOf.map(typeOf));
  return union([type ?? ''].flat().map((one) => plainType(one, schema)));
};

const plainType = (type: string, schema: ApiSchema): string => {
  if (type === 'array' && schema.items !== undefined) return listType(typeOf(schema.items), schema);
  if (type === 'object') return objectType(schema);
  return scalars[type] ?? 'unknown';
};

/** A tuple where the number of items is fixed. */
const listType = (item: string, schema: ApiSchema): string => {
  const { minItems, maxItems } = schema as { readonly minItems?: number; readonly maxItems?: number };
  if (minItems === undefined || minItems !== maxItems) return `readonly (${item})[]`;
  return `readonly [${Array<string>(minItems).fill(item).join(', ')}]`;
};

const objectType = ({ properties = {}, required = [], additionalProperties }: ApiSchema): string => {
  const members = Object.entries(properties);
  if (members.length > 0)
    return `{ ${members.map(([name, schema]) => member(name, typeOf(schema), required.includes(name))).join(' ')} }`;
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'JsonValue';
  return `Readonly<Record<string, ${value}>>`;
};

/** In an address a number and its text are the same. */
const parameterType = (schema: ApiSchema): string => {
  const type = typeOf(schema);
  return type === 'number' ? 'number | `${number}`' : type;
};

/** Parameters of one kind as a member of what a call is given; nothing where there are none. */
const parametersOf = ({ parameters = [] }: ApiOperation, kind: 'path' | 'query'): readonly string[] => {
  const own = parameters.filter((one) => one.in === kind);
  if (own.length === 0) return [];
  const required = own.filter((one) => one.required === true).map(({ name }) => name);
  const members = own.map(({ name, schema = {} }) => member(name, parameterType(schema), required.includes(name)));
  return [member(kind, `{ ${members.join(' ')} }`, required.length > 0)];
};

/** A body in JSON by its type; another one by its media types, because it is sent as it is. */
const bodyOf = ({ requestBody }: ApiOperation): readonly string[] => {
  if (requestBody?.content === undefined) return [];
  const required = requestBody.required === true;
  const json = requestBody.content['application/json']?.schema;
  if (json !== undefined) return [member('body', typeOf(json), required)];
  const type = literals(Object.keys(requestBody.content));
  return [member('raw', `{ readonly type: ${type}; readonly content: RawContent }`, required)];
};

const answerOf = ({ responses }: ApiOperation): string => {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const { 'application/json': json, ...others } = success?.content ?? {};
  if (json !== undefined) return typeOf(json.schema ?? {});
  return Object.keys(others).some((media) => media.startsWith('text/') || media.endsWith('ndjson'))
    ? 'string'
    : 'never';
};

/** Names of all that a schema refers to, itself and through others. */
const reached = (schemas: Readonly<Record<string, ApiSchema>>, text: string, found: Set<string>): Set<string> => {
  for (const [, name = ''] of text.matchAll(/"\$ref":"[^"]*\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    reached(schemas, JSON.stringify(schemas[name] ?? {}), found);
  }
  return found;
};

const successesOf = ({ responses }: ApiOperation): unknown =>
  Object.entries(responses).filter(([status]) => status.startsWith('2'));

/** Types for TypeScript of every operation: by method and address, what it is given and what it answers. */
export const typescriptModels = ({ components: { schemas }, paths }: ApiDocument): string => {
  const operations = Object.entries(paths).flatMap(([path, all]) =>
    Object.entries(all).map(([method, operation]) => ({ address: `${method.toUpperCase()} ${path}`, operation })),
  );
  const used = reached(
    schemas,
    JSON.stringify(
      operations.map(({ operation }) => [operation.parameters, operation.requestBody, successesOf(operation)]),
    ),
    new Set(),
  );
  const types = Object.entries(schemas).filter(([name]) => used.has(name));
  return [
    header,
    '/** What is sent as it is. */',
    'export type RawContent = string | Uint8Array<ArrayBuffer>;',
    ...types.map(([name, schema]) => `type ${name} = ${typeOf(schema)};`),
    '/** What each operation is given, and what it answers. */',
    'export interface Api {',
    ...operations.map(({ address, operation }) => {
      const given = [...parametersOf(operation, 'path'), ...parametersOf(operation, 'query'), ...bodyOf(operation)];
      return member(address, `{ ${[...given, member('answer', answerOf(operation))].join(' ')} }`);
    }),
    '}',
  ].join('\n\n');
};
