import type { FieldProblem } from '@fleet/contracts/faults';
import type { JsonValue } from '@fleet/contracts/sessions';
import { metricsOfReport } from '@fleet/log-parsing';

/** Results of reading a document: all problems, and all ignored fields. */
export interface Findings {
  readonly problems: FieldProblem[];
  readonly ignored: string[];
}

/** A JSON Schema (draft 2020-12). */
export type Schema = Readonly<Record<string, JsonValue>>;

type Read<T> = (value: unknown, at: string, findings: Findings) => T | undefined;

/** Reads a value; reports a problem and returns undefined if it is invalid. `at` is its path, `history[2].program`. */
export interface ValueReader<T> extends Read<T> {
  /** Its JSON Schema. */
  readonly schema: Schema;
}

const reader = <T>(schema: Schema, read: Read<T>): ValueReader<T> => Object.assign(read, { schema });

/** A member of an object: null counts as absent, because Python clients send None. */
interface Member<T> {
  readonly read: ValueReader<T>;
  /** Absent: the member is required. */
  readonly otherwise?: T;
  readonly what: string | undefined;
}

/** @param what description for the schema */
export const required = <T>(read: ValueReader<T>, what?: string): Member<T> => ({ read, what });
export const usual = <T>(read: ValueReader<T>, otherwise: NoInfer<T>, what?: string): Member<T> => ({
  read,
  otherwise,
  what,
});
export const nullable = <T>(read: ValueReader<T>, what?: string): Member<T | null> => ({ read, otherwise: null, what });

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? String(value) : text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

const expecting = <T>(allowed: string, schema: Schema, fits: (value: unknown) => value is T): ValueReader<T> =>
  reader(schema, (value, at, { problems }) => {
    if (fits(value)) return value;
    problems.push({ field: at, reason: `${shown(value)} is not allowed`, allowed });
    return undefined;
  });

export const text = expecting('a text', { type: 'string' }, (value): value is string => typeof value === 'string');
export const flag = expecting(
  'true or false',
  { type: 'boolean' },
  (value): value is boolean => typeof value === 'boolean',
);

/** At most this many characters; if clients truncate the text before sending it (knowledge/transport.yaml), that limit is smaller. */
export const textUpTo = (longest: number): ValueReader<string> =>
  expecting(
    `a text, at most ${longest} characters`,
    { type: 'string', maxLength: longest },
    (value): value is string => typeof value === 'string' && value.length <= longest,
  );

/** No file system has longer names; the time of rules that match names grows faster than their length. */
const pathPattern = /^[^\0/]{0,255}(?:\/[^\0/]{0,255})*$/;

export const path = expecting(
  'a path, at most 4096 characters, each name in it at most 255, without NUL',
  { type: 'string', minLength: 1, maxLength: 4096, pattern: '^[^\\u0000/]{0,255}(?:/[^\\u0000/]{0,255})*$' },
  (value): value is string =>
    typeof value === 'string' && value !== '' && value.length <= 4096 && pathPattern.test(value),
);

export const positive = expecting(
  'a number above 0',
  { type: 'number', exclusiveMinimum: 0 },
  (value): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0,
);

export const scalar = expecting(
  'a text, a number, true or false',
  { type: ['string', 'number', 'boolean'] },
  (value): value is string | number | boolean =>
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)),
);

export const integerFrom = (min: number, max: number): ValueReader<number> =>
  expecting(
    `a whole number from ${min} to ${max}`,
    { type: 'integer', minimum: min, maximum: max },
    (value): value is number => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );

export const choice = <T extends string>(choices: readonly T[]): ValueReader<T> =>
  expecting(choices.map((one) => `"${one}"`).join(' or '), { type: 'string', enum: choices }, (value): value is T =>
    choices.includes(value as T),
  );

/** "" means that nothing was chosen, in older clients. */
export const emptyAsNull = <T>(read: ValueReader<T>): ValueReader<T | null> =>
  reader({ anyOf: [read.schema, { const: '' }] }, (value, at, findings) =>
    value === '' ? null : read(value, at, findings),
  );

const aList = expecting('a list', { type: 'array' }, (value): value is readonly unknown[] => Array.isArray(value));

/** Whether the count is within the limit; otherwise reports it. */
const isWithin = (count: number, most: number, at: string, { problems }: Findings): boolean => {
  if (count > most) problems.push({ field: at, reason: `has ${count} entries`, allowed: `at most ${most}` });
  return count <= most;
};

/** @param most entries */
export const listOf = <T>(read: ValueReader<T>, most: number): ValueReader<readonly T[]> =>
  reader({ type: 'array', items: read.schema, maxItems: most }, (value, at, findings) => {
    const list = aList(value, at, findings);
    if (list === undefined || !isWithin(list.length, most, at, findings)) return undefined;
    return list.flatMap((entry, index) => {
      const found = read(entry, `${at}[${index}]`, findings);
      return found === undefined ? [] : [found];
    });
  });

/** One value counts as a list of one. */
export const oneOrMany = <T>(read: ValueReader<T>, most: number): ValueReader<readonly T[]> => {
  const many = listOf(read, most);
  return reader({ anyOf: [read.schema, many.schema] }, (value, at, findings) =>
    many(Array.isArray(value) ? value : [value], at, findings),
  );
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const anObject = expecting('an object', { type: 'object' }, isObject);

const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

/** The entries of an object within the limit. */
const entriesOf = (value: unknown, most: number, at: string, findings: Findings): readonly [string, unknown][] => {
  const entries = Object.entries(anObject(value, at, findings) ?? {});
  return isWithin(entries.length, most, at, findings) ? entries : [];
};

/** Arbitrary names, values of one type; entries without a value are omitted. */
export const mapOf = <T>(read: ValueReader<T>, most: number): ValueReader<Readonly<Record<string, T>>> =>
  reader({ type: 'object', additionalProperties: orNull(read.schema), maxProperties: most }, (value, at, findings) => {
    const entries = entriesOf(value, most, at, findings).flatMap(([key, entry]): [string, T][] => {
      const found = entry === null ? undefined : read(entry, `${at}.${key}`, findings);
      return found === undefined ? [] : [[key, found]];
    });
    return Object.fromEntries(entries);
  });

/** Whether every list and object inside a value is within the limit. */
const isWithinAll = (value: unknown, most: number, at: string, findings: Findings): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  const entries = Object.entries(value);
  const nameOf = (key: string): string => (Array.isArray(value) ? `${at}[${key}]` : `${at}.${key}`);
  return (
    isWithin(entries.length, most, at, findings) &&
    entries.every(([key, entry]) => isWithinAll(entry, most, nameOf(key), findings))
  );
};

/** Passed through unchecked; its content is read elsewhere. */
export const anyObjectUpTo = (most: number): ValueReader<Readonly<Record<string, JsonValue>>> =>
  reader({ type: 'object', maxProperties: most }, (value, at, findings) => {
    const given = anObject(value, at, findings) as Readonly<Record<string, JsonValue>> | undefined;
    return given !== undefined && isWithinAll(given, most, at, findings) ? given : undefined;
  });

/** The metrics in an object: numbers, texts and booleans; other members are reported. */
const metricEntries = (value: unknown, most: number, at: string, findings: Findings): Metrics => {
  const entries = entriesOf(value, most, at, findings).filter(([key, entry]) => {
    const fits = typeof entry === 'string' || typeof entry === 'boolean' || Number.isFinite(entry);
    if (!fits && entry !== null) findings.ignored.push(`${at}.${key}`);
    return fits;
  });
  return Object.fromEntries(entries) as Metrics;
};

type Metrics = Readonly<Record<string, number | string | boolean>>;

/**
 * Metrics by name, or the text of a report with them.
 * @param most maximum number of entries
 * @param longest maximum length of a report
 */
export const metricsUpTo = (most: number, longest: number): ValueReader<Metrics> => {
  const report = textUpTo(longest);
  const schema = { anyOf: [{ type: 'object', maxProperties: most }, report.schema] };
  return reader(schema, (value, at, findings) => {
    if (typeof value !== 'string') return metricEntries(value, most, at, findings);
    const found = metricsOfReport(report(value, at, findings) ?? '');
    if (found.length === 0 && value.trim() !== '') findings.ignored.push(at);
    return Object.fromEntries(found.map(({ name, value: measured }) => [name, measured]));
  });
};

const memberOf = <T>(given: unknown, { read, otherwise }: Member<T>, at: string, findings: Findings): T | undefined => {
  if (given !== undefined && given !== null) return read(given, at, findings);
  if (otherwise === undefined) findings.problems.push({ field: at, reason: 'is missing', allowed: 'it is required' });
  return otherwise;
};

/** The values of a reader. */
export type ReadBy<R> = R extends ValueReader<infer T> ? T : never;

type ObjectOf<M> = { readonly [K in keyof M]: M[K] extends Member<infer T> ? T : never };

const schemaOfMember = ({ read, otherwise, what }: Member<unknown>): Schema => ({
  ...(otherwise === undefined ? read.schema : orNull(read.schema)),
  ...(otherwise === undefined || otherwise === null ? {} : { default: otherwise as JsonValue }),
  ...(what === undefined ? {} : { description: what }),
});

const schemaOfObject = (members: Readonly<Record<string, Member<unknown>>>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(members).map(([key, member]) => [key, schemaOfMember(member)])),
  required: Object.keys(members).filter((key) => members[key]?.otherwise === undefined),
});

/** Maximum number of unknown members: newer clients have a few. */
const maxForeign = 1_000;

/** An object with these members; others are ignored and reported. Undefined if a member is invalid: see the problems. */
export const objectOf = <M extends Readonly<Record<string, Member<unknown>>>>(members: M): ValueReader<ObjectOf<M>> =>
  reader(schemaOfObject(members), (value, at, findings) => {
    const before = findings.problems.length;
    const given = anObject(value, at === '' ? 'request' : at, findings);
    if (given === undefined) return undefined;
    const pathOf = (key: string): string => (at === '' ? key : `${at}.${key}`);
    const foreign = Object.keys(given).filter((key) => !Object.hasOwn(members, key));
    if (!isWithin(foreign.length, maxForeign, at === '' ? 'request' : at, findings)) return undefined;
    for (const key of foreign) findings.ignored.push(pathOf(key));
    const entries = Object.entries(members).map(([key, member]) => [
      key,
      memberOf(given[key], member, pathOf(key), findings),
    ]);
    return findings.problems.length > before ? undefined : (Object.fromEntries(entries) as ObjectOf<M>);
  });
