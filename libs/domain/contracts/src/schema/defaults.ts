import type { JsonSchema } from './schema';

type Fill = (value: unknown) => unknown;
const asItIs: Fill = (value) => value;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fillMembers = (properties: Readonly<Record<string, JsonSchema>>): Fill => {
  const defaults = Object.entries(properties).filter(([, { default: value }]) => value !== undefined);
  const inside = Object.entries(properties)
    .map(([name, schema]) => [name, fillOf(schema)] as const)
    .filter(([, fill]) => fill !== asItIs);
  if (defaults.length === 0 && inside.length === 0) return asItIs;
  return (value) => {
    if (!isObject(value)) return value;
    const changes: Record<string, unknown> = {};
    for (const [name, schema] of defaults) if (value[name] === undefined) changes[name] = schema.default;
    for (const [name, fill] of inside) {
      const filled = fill(value[name]);
      if (filled !== value[name]) changes[name] = filled;
    }
    return Object.keys(changes).length === 0 ? value : { ...value, ...changes };
  };
};

const fillEntries = (schema: JsonSchema): Fill => {
  const fill = fillOf(schema);
  if (fill === asItIs) return asItIs;
  return (value) => {
    if (!Array.isArray(value)) return value;
    const filled: unknown[] = value.map(fill);
    return filled.some((one, index) => one !== value[index]) ? filled : (value as unknown);
  };
};

const fills = new WeakMap<JsonSchema, Fill>();

/** Visits only members with defaults. */
const fillOf = (schema: JsonSchema): Fill => {
  const known = fills.get(schema);
  if (known !== undefined) return known;
  const { properties, items } = schema;
  const made = properties !== undefined ? fillMembers(properties) : items !== undefined ? fillEntries(items) : asItIs;
  fills.set(schema, made);
  return made;
};

/**
 * A record of an older release with the defaults of missing members; the same object if nothing is missing. Validates nothing: use
 * `mistakesIn` for external values.
 */
export const withDefaults = (schema: JsonSchema, value: unknown): unknown => fillOf(schema)(value);
