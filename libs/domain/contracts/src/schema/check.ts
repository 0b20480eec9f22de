import { allowedText, shown } from './allowed';
import type { FieldProblem } from '../faults/fault';
import type { JsonSchema, Schema, TypeName } from './schema';

/** The kind of a mistake: a missing or unknown member, a wrong type, out of bounds, too long. */
type MistakeKind = 'missing' | 'unknown' | 'type' | 'value' | 'too_long';

/** One mistake in a value, for people and for programs. */
export interface Mistake extends FieldProblem {
  readonly kind: MistakeKind;
  /** Members and indexes that lead to it. */
  readonly path: readonly (string | number)[];
  readonly allowed: string;
  /** Valid names that an unknown name may stand for. */
  readonly known?: readonly string[];
}

type Value = Readonly<Record<string, unknown>>;

const isOf: Readonly<Record<TypeName, (value: unknown) => boolean>> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

const isOfType = ({ type = [] }: JsonSchema, value: unknown): boolean =>
  typeof type === 'string' ? isOf[type](value) : type.length === 0 || type.some((one) => isOf[one](value));

const patterns = new Map<string, RegExp>();
const matches = (pattern: string, value: string): boolean => {
  const known = patterns.get(pattern);
  if (known !== undefined) return known.test(value);
  const made = new RegExp(pattern, 'u');
  patterns.set(pattern, made);
  return made.test(value);
};

const entriesText = (count: number): string => `${String(count)} entr${count === 1 ? 'y' : 'ies'}`;

/** Range of valid years in a record. */
const years = { first: 2000, last: 2100 } as const;
const isTime = (value: string): boolean => {
  const year = new Date(value).getUTCFullYear();
  return year >= years.first && year < years.last;
};

/** In characters as JSON Schema counts them: a pair of surrogates is one. */
const isLonger = (value: string, most: number): boolean =>
  value.length > most && (value.length > 2 * most || Array.from(value).length > most);

const isInRange = ({ minimum, exclusiveMinimum, maximum }: JsonSchema, value: number): boolean =>
  value >= (minimum ?? -Infinity) && value > (exclusiveMinimum ?? -Infinity) && value <= (maximum ?? Infinity);

/** Maximum length of a reported member name, because the client chooses it. */
const longestName = 100;

/** `cycles[0].decision` for a path, prefixed with the name of the value. */
export const fieldOf = (at: string, path: readonly (string | number)[]): string =>
  path.reduce<string>((field, key) => {
    if (typeof key === 'number') return `${field}[${String(key)}]`;
    const name = key.length > longestName ? `${key.slice(0, longestName)}…` : key;
    return field === '' ? name : `${field}.${name}`;
  }, at);

class Checking {
  readonly mistakes: Mistake[] = [];
  private readonly path: (string | number)[] = [];

  constructor(
    private readonly at: string,
    private readonly most: number,
  ) {}

  check(schema: JsonSchema, value: unknown): void {
    if (this.mistakes.length >= this.most) return;
    if (!isOfType(schema, value)) this.mistype(schema, value);
    else if (schema.enum?.every((one) => one !== value) === true) this.refuse(schema, value);
    else if (typeof value === 'string') this.text(schema, value);
    else if (typeof value === 'number') this.number(schema, value);
    else if (Array.isArray(value)) this.list(schema, value);
    else if (isOf.object(value)) this.object(schema, value as Value);
  }

  private number(schema: JsonSchema, value: number): void {
    if (!isInRange(schema, value)) this.refuse(schema, value);
  }

  private text(schema: JsonSchema, value: string): void {
    const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
    if (isLonger(value, maxLength))
      this.say('too_long', `has ${String(value.length)} characters`, `at most ${String(maxLength)} characters`);
    else if (value.length < minLength) this.say('value', 'is empty', allowedText(schema));
    else if (pattern !== undefined && !matches(pattern, value)) this.refuse(schema, value);
    else if (format === 'date-time' && !isTime(value)) this.refuse(schema, value);
  }

  private list(schema: JsonSchema, values: readonly unknown[]): void {
    const { minItems = 0, maxItems = Infinity, items } = schema;
    if (values.length > maxItems)
      this.say('too_long', `has ${entriesText(values.length)}`, `at most ${entriesText(maxItems)}`);
    else if (values.length < minItems)
      this.say('value', `has ${entriesText(values.length)}`, `at least ${entriesText(minItems)}`);
    else if (items !== undefined) values.forEach((value, index) => this.inside(index, () => this.check(items, value)));
  }

  private object(schema: JsonSchema, value: Value): void {
    const { properties = {}, required = [], propertyNames, maxProperties = Infinity } = schema;
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    for (const name of required) if (value[name] === undefined) this.missing(name, properties[name] ?? {});
    if (members.length > maxProperties) {
      this.say('too_long', `has ${entriesText(members.length)}`, `at most ${entriesText(maxProperties)}`);
      return;
    }
    for (const [name, member] of members) {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      this.inside(name, () => {
        this.member(member, own ?? schema.additionalProperties ?? true, properties);
        if (propertyNames !== undefined) this.name(propertyNames, name);
      });
    }
  }

  private member(value: unknown, schema: JsonSchema | boolean, properties: object): void {
    if (typeof schema === 'object') this.check(schema, value);
    else if (!schema) this.unknown(Object.keys(properties));
  }

  private name(schema: JsonSchema, name: string): void {
    const checking = new Checking('', 1);
    checking.check(schema, name);
    if (checking.mistakes.length > 0) this.say('unknown', 'is not a name that is allowed here', allowedText(schema));
  }

  private missing(name: string, schema: JsonSchema): void {
    this.inside(name, () => this.say('missing', 'is missing', allowedText(schema)));
  }

  private unknown(known: readonly string[]): void {
    this.say('unknown', 'is not known', known.join(', '), known);
  }

  private mistype(schema: JsonSchema, value: unknown): void {
    const allowed = allowedText(schema);
    this.say('type', `must be ${allowed}, not ${shown(value)}`, allowed);
  }

  private refuse(schema: JsonSchema, value: unknown): void {
    this.say('value', `${shown(value)} is not allowed`, allowedText(schema));
  }

  private inside(key: string | number, act: () => void): void {
    this.path.push(key);
    act();
    this.path.pop();
  }

  private say(kind: MistakeKind, reason: string, allowed: string, known?: readonly string[]): void {
    if (this.mistakes.length >= this.most) return;
    const path = [...this.path];
    const field = fieldOf(this.at, path);
    this.mistakes.push({ field, reason, allowed, kind, path, ...(known !== undefined && { known }) });
  }
}

/**
 * All mistakes in an external value, in the order of its members.
 * @param options `at`: the name of the value in messages, `session`; `most`: maximum number of mistakes
 */
export const mistakesIn = (
  schema: JsonSchema,
  value: unknown,
  { at = '', most = Infinity }: { readonly at?: string; readonly most?: number } = {},
): readonly Mistake[] => {
  const checking = new Checking(at, most);
  checking.check(schema, value);
  return checking.mistakes;
};

/** Whether a value matches the schema. */
export const isDescribed = <T>(schema: Schema<T>, value: unknown): value is T =>
  mistakesIn(schema, value, { most: 1 }).length === 0;
