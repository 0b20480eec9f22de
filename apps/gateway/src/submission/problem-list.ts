import type { ApiProblem } from '@fleet/contracts';
import type { ProblemCode } from '../errors/error-catalogue';

/** Collects what is wrong with an input, so that the submitter reads all of it at once. */
export class ProblemList {
  private readonly problems: ApiProblem[] = [];

  add(code: ProblemCode, field: string, reason: string, allowed?: string): void {
    this.problems.push({ field, reason, code, ...(allowed !== undefined && { allowed }) });
  }

  append(problem: ApiProblem): void {
    this.problems.push(problem);
  }

  get all(): readonly ApiProblem[] {
    return this.problems;
  }

  get isEmpty(): boolean {
    return this.problems.length === 0;
  }
}

/** A value as an error message shows it: short, on one line. */
export const shown = (value: unknown): string => {
  const printed = value === undefined ? 'nothing' : JSON.stringify(value);
  return printed.length > 120 ? `${printed.slice(0, 117)}...` : printed;
};
