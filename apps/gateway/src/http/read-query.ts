import { shown } from '@fleet/contracts';
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
      this.problems.add('field.unknown', name, 'is not a parameter of this address', allowed.join(', '));
    }
  }

  /** Text that matches, or undefined when it was not given. */
  text(name: string, pattern: RegExp, allowed: string): string | undefined {
    const value = this.query[name];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && pattern.test(value)) return value;
    this.problems.add('field.value', name, `${shown(value)} is not allowed`, allowed);
    return undefined;
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.query[name];
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found === undefined)
      this.problems.add('field.value', name, `${shown(value)} is not allowed`, choices.join(', '));
    return found;
  }

  integer(name: string, range: { readonly default: number; readonly min: number; readonly max: number }): number {
    const value = this.query[name];
    if (value === undefined) return range.default;
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= range.min && number <= range.max) return number;
    const allowed = `a whole number from ${String(range.min)} to ${String(range.max)}`;
    this.problems.add('field.value', name, `${shown(value)} is not allowed`, allowed);
    return range.default;
  }

  /** @throws ApiError `request.invalid` with every problem that was found */
  done(): void {
    if (this.problems.isEmpty) return;
    throw new ApiError('request.invalid', 'The parameters of the address are invalid.', this.problems.all);
  }
}
