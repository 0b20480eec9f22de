import { integer, list, record, text, type JsonSchema, type Schema } from './schema';

/** What a parameter of a program, or a metric, may be. */
export type StrategyValue = string | number | boolean;

/** Kinds of members that several records have. Their bounds hold wherever a record comes from outside. */
export const count = (what?: string): Schema<number> => integer(what, { minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** A count for each of these names. */
export const countOf = <T extends string>(names: readonly T[], what: string): Schema<Readonly<Record<T, number>>> =>
  record(Object.fromEntries(names.map((name) => [name, count()])), {}, what) as Schema<Readonly<Record<T, number>>>;
/** Number of a cycle or an attempt, from 1; the limits of a submission allow far fewer. */
export const ordinal = (what?: string): Schema<number> => integer(what, { minimum: 1, maximum: 100_000 });
/** What people read at a glance. */
export const line = (what?: string): Schema<string> => text(what, { maxLength: 1000 });
/** No line breaks, no control characters: it is shown to everybody. */
export const oneLine = (what: string, longest: number): Schema<string> =>
  text(what, {
    maxLength: longest,
    pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
    'x-allowed': `one line of text, at most ${String(longest)} characters`,
  });
/** ISO 8601; the years in which a record can have been written. */
export const time = (what?: string): Schema<string> =>
  text(what, { format: 'date-time', 'x-allowed': 'a date (ISO 8601) from 2000 to 2100' });
/** W3C Trace Context: version, trace id, span id, flags. */
export const traceContext = (what: string): Schema<string> =>
  text(what, {
    pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$',
    'x-allowed': 'a traceparent such as 00-<32 hexadecimal digits>-<16>-01',
  });
/** Absolute. PATH_MAX of Linux; no NUL, which ends a path for the system. */
export const path = (what?: string): Schema<string> =>
  text(what, { maxLength: 4096, pattern: '^/[^\\u0000]*$', 'x-allowed': 'an absolute path, at most 4096 characters' });
/** It names a folder, and what is launched. */
export const programName = (what?: string): Schema<string> =>
  text(what, {
    pattern: '^[a-z][a-z0-9_]{0,63}\\.[a-z][a-z0-9_]{0,63}$',
    'x-allowed': 'a program such as phenix.refine',
  });
/** An argument of a command. */
export const token = (what?: string): Schema<string> =>
  text(what, { maxLength: 65_536, pattern: '^[^\\u0000]*$', 'x-allowed': 'text without NUL characters' });
/** Read from a file or a log: `JSON.stringify` writes what is no number as null. */
export const measured = (what?: string): Schema<number> => ({
  type: ['number', 'null'],
  ...(what !== undefined && { description: what }),
});
export const scalar = (what?: string): Schema<StrategyValue> => ({
  type: ['string', 'number', 'boolean'],
  ...(what !== undefined && { description: what }),
});
/** Of a record: no list in one has more entries. */
export const entries = <T>(items: Schema<T>, what?: string, keywords: JsonSchema = {}): Schema<readonly T[]> =>
  list(items, what, { maxItems: 10_000, ...keywords });

/** A folder's name as a pattern: of a proposal or a beamline for example. */
export const folderName = '[A-Za-z0-9](?:[A-Za-z0-9_-]|\\.(?!\\.))*';
export const folderNameAllowed = 'letters, digits, ".", "_" and "-", starting with a letter or digit';
