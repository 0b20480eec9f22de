import { integer, list, record, text, type JsonSchema, type Schema } from './schema';

/** The value of a program parameter or a metric. */
export type StrategyValue = string | number | boolean;

/** Members that several records share. Their bounds apply to all external records. */
export const count = (what?: string): Schema<number> => integer(what, { minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** A count for each of these names. */
export const countOf = <T extends string>(names: readonly T[], what: string): Schema<Readonly<Record<T, number>>> =>
  record(Object.fromEntries(names.map((name) => [name, count()])), {}, what) as Schema<Readonly<Record<T, number>>>;
/** 1-based number of a cycle or an attempt; the limits of a submission allow far fewer. */
export const ordinal = (what?: string): Schema<number> => integer(what, { minimum: 1, maximum: 100_000 });
/** A short text. */
export const line = (what?: string): Schema<string> => text(what, { maxLength: 1000 });
/** No line breaks, no control characters, because it is shown to other users. */
export const oneLine = (what: string, longest: number): Schema<string> =>
  text(what, {
    maxLength: longest,
    pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
    'x-allowed': `one line of text, at most ${String(longest)} characters`,
  });
/** ISO 8601; only years in which a record can have been written. */
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
export const sha256 = (what: string): Schema<string> =>
  text(what, { pattern: '^[0-9a-f]{64}$', 'x-allowed': '64 hexadecimal digits' });
/** Used as a folder name and as a command. */
export const programName = (what?: string): Schema<string> =>
  text(what, {
    pattern: '^[a-z][a-z0-9_]{0,63}\\.[a-z][a-z0-9_]{0,63}$',
    'x-allowed': 'a program such as phenix.refine',
  });
/** An argument of a command. */
export const token = (what?: string): Schema<string> =>
  text(what, { maxLength: 65_536, pattern: '^[^\\u0000]*$', 'x-allowed': 'text without NUL characters' });
/** Measured in a file or a log: `JSON.stringify` writes NaN as null. */
export const measured = (what?: string): Schema<number> => ({
  type: ['number', 'null'],
  ...(what !== undefined && { description: what }),
});
export const scalar = (what?: string): Schema<StrategyValue> => ({
  type: ['string', 'number', 'boolean'],
  ...(what !== undefined && { description: what }),
});
/** A list with the maximum length of lists in records. */
export const entries = <T>(items: Schema<T>, what?: string, keywords: JsonSchema = {}): Schema<readonly T[]> =>
  list(items, what, { maxItems: 10_000, ...keywords });

/** Pattern of a folder name, for example of a proposal or a beamline. */
export const folderName = '[A-Za-z0-9](?:[A-Za-z0-9_-]|\\.(?!\\.))*';
export const folderNameAllowed = 'letters, digits, ".", "_" and "-", starting with a letter or digit';
