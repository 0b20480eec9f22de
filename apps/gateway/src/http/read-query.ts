import type { QuerySchemas, QueryValues } from '@fleet/contracts/route';
import { type JsonSchema, mistakesIn } from '@fleet/contracts/schema';
import { ProblemList } from '@fleet/problems';
import { ApiError } from './errors/problem-details';

/** Query parameters from the framework: text, or an array for a repeated name. */
export type Query = Readonly<Record<string, unknown>>;

const forms: Readonly<Record<string, RegExp>> = { integer: /^-?\d{1,15}$/, number: /^-?\d{1,9}(\.\d{1,12})?$/ };

/** Converts text to a number or a boolean if the schema requires it; returns anything else unchanged. */
const typed = ({ type }: JsonSchema, value: unknown): unknown => {
  if (typeof value !== 'string' || typeof type !== 'string') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return forms[type]?.test(value) === true ? Number(value) : value;
};

/** Reads the query parameters of a route by its declaration; `done` reports all problems at once. */
export class QueryReader<Q extends QuerySchemas> {
  private readonly problems = new ProblemList();
  /** The valid given values, otherwise the route's defaults. */
  readonly values: QueryValues<Q>;

  constructor(schemas: Q, query: Query) {
    const allowed = Object.keys(schemas);
    for (const name of Object.keys(query).filter((key) => !allowed.includes(key))) {
      this.problems.addUnknown('field.unknown', name, 'is not a parameter of this endpoint', name, allowed);
    }
    const values = Object.entries(schemas).map(
      ([name, schema]) => [name, this.read(name, schema, query[name])] as const,
    );
    // Each value was checked by its schema.
    this.values = Object.fromEntries(values) as unknown as QueryValues<Q>;
  }

  /** Reports a conflict with other parameters. */
  refuse(field: keyof Q & string, reason: string, allowed: string): void {
    this.problems.add('field.value', field, reason, allowed);
  }

  /** Uses the checks and messages of body members. */
  private read(name: string, schema: JsonSchema, given: unknown): unknown {
    if (given === undefined) return schema.default;
    const value = typed(schema, given);
    const mistakes = mistakesIn(schema, value, { at: name });
    for (const mistake of mistakes) this.problems.addMistake(mistake);
    return mistakes.length === 0 ? value : schema.default;
  }

  /** @throws ApiError `request.invalid` with every problem */
  done(): void {
    if (this.problems.isEmpty) return;
    throw new ApiError('request.invalid', 'The query parameters are invalid.', this.problems.all);
  }
}

/** The query of a route. @throws ApiError `request.invalid` with every problem */
export const readQuery = <Q extends QuerySchemas>(
  { query: schemas }: { readonly query: Q },
  query: Query,
): QueryValues<Q> => {
  const reader = new QueryReader(schemas, query);
  reader.done();
  return reader.values;
};

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Without undefined values. */
export const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;

/** A time in milliseconds since the epoch. */
export const msOf = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : Date.parse(time);
