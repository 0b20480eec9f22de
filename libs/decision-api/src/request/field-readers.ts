import type { FieldProblem, JsonValue } from '@fleet/contracts';

/** What is found while a document is read: everything wrong at once, and every field that nobody reads. */
export interface Findings {
  readonly problems: FieldProblem[];
  readonly ignored: string[];
}

/** Reads a value; reports and gives undefined where it does not fit. `at` is its path, `history[2].program`. */
export type ValueReader<T> = (value: unknown, at: string, findings: Findings) => T | undefined;

/** A member of an object: null and absent are the same, as Python's clients send None. */
export interface Member<T> {
  readonly read: ValueReader<T>;
  /** Absent: the member is required. */
  readonly otherwise?: T;
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? String(value) : text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

const expecting =
  <T>(allowed: string, fits: (value: unknown) => value is T): ValueReader<T> =>
  (value, at, { problems }) => {
    if (fits(value)) return value;
    problems.push({ field: at, reason: `${shown(value)} is not allowed`, allowed });
    return undefined;
  };

export const text = expecting('a text', (value): value is string => typeof value === 'string');
export const flag = expecting('true or false', (value): value is boolean => typeof value === 'boolean');

export const path = expecting(
  'a path, at most 4096 characters, without NUL',
  (value): value is string =>
    typeof value === 'string' && value !== '' && value.length <= 4096 && !value.includes('\0'),
);

export const positive = expecting(
  'a number above 0',
  (value): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0,
);

export const integerFrom = (min: number, max: number): ValueReader<number> =>
  expecting(
    `a whole number from ${min} to ${max}`,
    (value): value is number => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );

export const choice = <T extends string>(choices: readonly T[]): ValueReader<T> =>
  expecting(choices.map((one) => `"${one}"`).join(' or '), (value): value is T => choices.includes(value as T));

/** "" means nothing was chosen, as older clients say it. */
export const emptyAs =
  <T>(read: ValueReader<T>, nothing: T): ValueReader<T> =>
  (value, at, findings) =>
    value === '' ? nothing : read(value, at, findings);

export const listOf =
  <T>(read: ValueReader<T>): ValueReader<readonly T[]> =>
  (value, at, findings) => {
    if (!Array.isArray(value)) return expecting('a list', Array.isArray)(value, at, findings) as undefined;
    return value.flatMap((entry: unknown, index) => {
      const found = read(entry, `${at}[${index}]`, findings);
      return found === undefined ? [] : [found];
    });
  };

/** One value counts as a list of one. */
export const oneOrMany =
  <T>(read: ValueReader<T>): ValueReader<readonly T[]> =>
  (value, at, findings) =>
    listOf(read)(Array.isArray(value) ? value : [value], at, findings);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const anObject = expecting('an object', isObject);

/** Any names, one kind of value; entries without a value are left out. */
export const mapOf =
  <T>(read: ValueReader<T>): ValueReader<Readonly<Record<string, T>>> =>
  (value, at, findings) => {
    const entries = Object.entries(anObject(value, at, findings) ?? {}).flatMap(([key, entry]): [string, T][] => {
      const found = entry === null ? undefined : read(entry, `${at}.${key}`, findings);
      return found === undefined ? [] : [[key, found]];
    });
    return Object.fromEntries(entries);
  };

/** Passed through as it is. */
export const anyObject = anObject as ValueReader<Readonly<Record<string, JsonValue>>>;

/** Numbers, texts and truths are metrics; whatever else a client keeps beside them is no metric and is reported. */
export const metrics: ValueReader<Readonly<Record<string, number | string | boolean>>> = (value, at, findings) => {
  const entries = Object.entries(anObject(value, at, findings) ?? {}).filter(([key, entry]) => {
    const fits = typeof entry === 'string' || typeof entry === 'boolean' || Number.isFinite(entry);
    if (!fits && entry !== null) findings.ignored.push(`${at}.${key}`);
    return fits;
  });
  return Object.fromEntries(entries) as Readonly<Record<string, number | string | boolean>>;
};

const memberOf = <T>(given: unknown, { read, otherwise }: Member<T>, at: string, findings: Findings): T | undefined => {
  if (given !== undefined && given !== null) return read(given, at, findings);
  if (otherwise === undefined) findings.problems.push({ field: at, reason: 'is missing', allowed: 'it is required' });
  return otherwise;
};

/**
 * An object with these members; others are ignored and reported.
 * Undefined when a member did not fit: the problems say which.
 */
export const objectOf =
  <T extends object>(members: { readonly [K in keyof T & string]: Member<T[K]> }): ValueReader<T> =>
  (value, at, findings) => {
    const before = findings.problems.length;
    const given = anObject(value, at === '' ? 'request' : at, findings);
    if (given === undefined) return undefined;
    const pathOf = (key: string): string => (at === '' ? key : `${at}.${key}`);
    findings.ignored.push(
      ...Object.keys(given)
        .filter((key) => !Object.hasOwn(members, key))
        .map(pathOf),
    );
    const entries = Object.entries(members as Readonly<Record<string, Member<unknown>>>).map(([key, member]) => [
      key,
      memberOf(given[key], member, pathOf(key), findings),
    ]);
    return findings.problems.length > before ? undefined : (Object.fromEntries(entries) as T);
  };
