/** A JSON Schema, as far as the chart's values use it. */
export interface ValueSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, ValueSchema>>;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly not?: { readonly pattern?: string; readonly enum?: readonly unknown[] };
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: ValueSchema | boolean;
  readonly required?: readonly string[];
}

/** Texts among which one fits every pattern of the schema. */
const texts = [
  'other',
  '/other',
  '9Gi',
  '9mb',
  `sha256:${'9'.repeat(64)}`,
  'OTHER',
  'FLEET_LOG_LEVEL',
  'https://other.example',
  '9.9.9.0/24',
  'other@example.org',
  '9s',
  'stdout',
  'never',
];

const fits = (text: string, { pattern, not }: ValueSchema): boolean =>
  (pattern === undefined || new RegExp(pattern).test(text)) &&
  (not?.pattern === undefined || !new RegExp(not.pattern).test(text));

const otherNumber = (given: unknown, { minimum = 1, maximum }: ValueSchema): number => {
  if (typeof given !== 'number') return minimum + 1;
  return given === maximum ? given - 1 : given + 1;
};

/** Makes values that a schema allows and that differ from those given. */
export class OtherValues {
  constructor(private readonly root: ValueSchema) {}

  /** The schema of a value, by its keys. */
  schemaOf(keys: readonly string[]): ValueSchema {
    return keys.reduce((schema, key) => {
      const { properties = {}, additionalProperties } = this.resolved(schema);
      const inside = properties[key] ?? additionalProperties;
      if (typeof inside !== 'object') throw new Error(`The schema does not know ${keys.join('.')}.`);
      return inside;
    }, this.root);
  }

  otherThan(given: unknown, schema: ValueSchema): unknown {
    const whole = this.resolved(schema);
    if (whole.enum !== undefined) return whole.enum.find((choice) => choice !== given);
    const types = whole.type ?? 'string';
    return this.makers[typeof types === 'string' ? types : (types[0] ?? 'string')]?.(given, whole);
  }

  private readonly makers: Readonly<Record<string, (given: unknown, schema: ValueSchema) => unknown>> = {
    boolean: (given) => given !== true,
    integer: otherNumber,
    number: otherNumber,
    string: (given, schema) => texts.find((text) => text !== given && fits(text, schema)),
    array: (_given, { items }) => [items === undefined ? 'other' : this.otherThan(undefined, items)],
    object: (_given, schema) => this.otherObject(schema),
  };

  private otherObject({ properties = {}, additionalProperties, required = [] }: ValueSchema): unknown {
    if (typeof additionalProperties === 'object') return { other: this.otherThan(undefined, additionalProperties) };
    const keys = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
    if (keys.length === 0) return { other: 'other' };
    return Object.fromEntries(
      keys.map((key) => [key, this.otherThan(undefined, properties[key] ?? { type: 'string' })]),
    );
  }

  private resolved(schema: ValueSchema): ValueSchema {
    const name = schema.$ref?.replace('#/$defs/', '');
    return name === undefined ? schema : (this.root.$defs?.[name] ?? schema);
  }
}
