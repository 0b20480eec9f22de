import { choice, integer, mistakesIn, number, text, time, type Schema } from '@fleet/contracts';
import { ApiError } from '../errors/problem-details';
import { ProblemList } from '../submission/problem-list';

/** Query parameters as the framework gives them: text, or a list where a name came twice. */
export type Query = Readonly<Record<string, unknown>>;

/** Reads query parameters; all that is wrong with them is reported at once by `done`. */
export class QueryReader {
  private readonly problems = new ProblemList();

  constructor(
    private readonly query: Query,
    allowed: readonly string[],
  ) {
    for (const name of Object.keys(query).filter((key) => !allowed.includes(key))) {
      this.problems.addUnknown('field.unknown', name, 'is not a parameter of this address', name, allowed);
    }
  }

  /** Text that matches, or undefined when it was not given. */
  text(name: string, pattern: RegExp, allowed: string): string | undefined {
    return this.read(name, text('', { pattern: pattern.source, 'x-allowed': allowed }), this.query[name]);
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    return this.read(name, choice(choices), this.query[name]);
  }

  integer(name: string, range: { readonly default: number; readonly min: number; readonly max: number }): number {
    const value = this.query[name];
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    return this.read(name, integer('', { minimum: range.min, maximum: range.max }), number) ?? range.default;
  }

  /** A decimal number, or undefined when it was not given. */
  number(name: string, range: { readonly min: number; readonly max: number }): number | undefined {
    const value = this.query[name];
    const read = typeof value === 'string' && /^-?\d{1,9}(\.\d{1,12})?$/.test(value) ? Number(value) : value;
    return this.read(name, number('', { minimum: range.min, maximum: range.max }), read);
  }

  /** A time in milliseconds since the epoch. */
  time(name: string): number | undefined {
    const value = this.read(name, time(), this.query[name]);
    return value === undefined ? undefined : Date.parse(value);
  }

  /** Something that cannot be together with the rest. */
  refuse(field: string, reason: string, allowed: string): void {
    this.problems.add('field.value', field, reason, allowed);
  }

  /** As members of a body are read: the same checks, in the same words. */
  private read<T>(name: string, schema: Schema<T>, value: unknown): T | undefined {
    if (value === undefined) return undefined;
    const mistakes = mistakesIn(schema, value, { at: name });
    for (const mistake of mistakes) this.problems.addMistake(mistake);
    return mistakes.length === 0 ? (value as T) : undefined;
  }

  /** @throws ApiError `request.invalid` with every problem that was found */
  done(): void {
    if (this.problems.isEmpty) return;
    throw new ApiError('request.invalid', 'The parameters of the address are invalid.', this.problems.all);
  }
}
