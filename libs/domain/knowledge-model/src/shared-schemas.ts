import { choice, closed, list, record, text, type Described, type Schema } from '@fleet/contracts/schema';
import { experimentTypes, fileFormats, stopReasons, type ExperimentType } from '@fleet/contracts/sessions';

/**
 * Schemas that several kinds of knowledge share, and what JSON Schema can say beyond the records of `@fleet/contracts`. Only ajv validates
 * these; `mistakesIn` does not know them.
 */
export const matching = (pattern: string): Schema<string> => text(undefined, { pattern });
/** A slot, key, category, metric or step. */
export const name = matching('^[a-z][a-z0-9_]*$');
export const factName = matching('^[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*$');
/** An id in messages and in the record of decisions. */
export const ruleId = matching('^[a-z][a-z0-9_-]*$');
export const phenixProgram = matching('^phenix\\.[a-z0-9_]+$');
/** A parameter of PHIL. */
export const parameter = matching('^[A-Za-z_][A-Za-z0-9_.]*$');
/**
 * Where PHENIX's developers define that the program takes this parameter: a file of cctbx_project (its PHIL, or the public agent's
 * programs.yaml), a page of PHENIX's documentation, or other software that wraps the program's PHIL.
 */
export const source = matching('^[A-Za-z][A-Za-z0-9 _./()-]{5,100}$');
/**
 * A real log: below PHENIX_FLEET_TEST_LOGS; with `public:` in cctbx_project below libtbx/langchain/log_extraction/corpus; with `fixtures/` below
 * libs/domain/log-parsing/src.
 */
export const log = matching('^(?:public:)?[A-Za-z0-9_/-]+\\.log$');
export const someText = text(undefined, { minLength: 1 });
export const sentence = text(undefined, { minLength: 3 });
export const experiment = choice(experimentTypes);
export const fileFormat = choice(fileFormats);
export const stopReason = choice(stopReasons);
export const unit = choice(['Å', '%', 'Å²', '°']);

export const someOf = <T>(items: Schema<T>): Schema<readonly T[]> => list(items, undefined, { minItems: 1 });

/** With keywords of JSON Schema that records do not need. */
export const also = <T>(schema: Schema<T>, keywords: Readonly<Record<string, unknown>>): Schema<T> => ({
  ...schema,
  ...keywords,
});

/** At least one, none twice. */
export const differing = <T>(items: Schema<T>): Schema<readonly T[]> => also(someOf(items), { uniqueItems: true });

export const oneOf = <S extends readonly Schema<unknown>[]>(...of: S): Schema<Described<S[number]>> =>
  also<Described<S[number]>>({}, { oneOf: of.map(closed) });

/** The members of both. */
export const merged = <A, B>(one: Schema<A>, other: Schema<B>): Schema<A & B> => ({
  type: 'object',
  properties: { ...one.properties, ...other.properties },
  required: [...(one.required ?? []), ...(other.required ?? [])],
});

/** A value for each of these names. */
export const byName = <const T extends string, V>(
  names: readonly T[],
  value: Schema<V>,
): Schema<Readonly<Record<T, V>>> =>
  record(Object.fromEntries(names.map((one) => [one, value] as const))) as Schema<Readonly<Record<T, V>>>;

export const byExperiment = <V>(value: Schema<V>): Schema<Readonly<Record<ExperimentType, V>>> =>
  byName(experimentTypes, value);
