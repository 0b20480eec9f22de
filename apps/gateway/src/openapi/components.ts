import type { JsonSchema } from '@fleet/contracts';

export const referenceTo = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

interface Component {
  readonly properties?: Readonly<Record<string, object>>;
}

/**
 * The named schemas as OpenAPI components: where one contains another, it refers to it. What the API answers holds the members that
 * are named and no others.
 */
export const componentsOf = (named: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, Component>> => {
  const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));

  const inside = (schema: JsonSchema): object => {
    const name = names.get(schema);
    return name === undefined ? written(schema) : referenceTo(name);
  };
  const members = (all: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, object>> =>
    Object.fromEntries(Object.entries(all).map(([name, member]) => [name, inside(member)]));
  const written = ({ properties, items, additionalProperties, ...schema }: JsonSchema): Component => ({
    ...schema,
    ...(properties !== undefined && { properties: members(properties), additionalProperties: false }),
    ...(items !== undefined && { items: inside(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? inside(additionalProperties) : additionalProperties,
    }),
  });

  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, written(schema)]));
};

/** A component whose `code` is one of these. */
export const withCodes = ({ properties, ...component }: Component, codes: readonly string[]): Component => ({
  ...component,
  properties: { ...properties, code: { type: 'string', description: `one of ${codes.join(', ')}, or a fault's own` } },
});
