import { Fault } from '@fleet/contracts/faults';
import { nearestName, type Mistake } from '@fleet/contracts/schema';
import type { ApiProblem } from '@fleet/contracts/sessions';
import type { ProblemCode } from './problem-codes';

/** Maximum number of listed problems: a body can have a hundred thousand. */
const maxReported = 100;

const codeOfSetting = ({ kind }: Mistake): ProblemCode => {
  if (kind === 'unknown' || kind === 'type') return `setting.${kind}`;
  return 'setting.range';
};

const codeOf = (mistake: Mistake): ProblemCode => {
  const [member, ...inside] = mistake.path;
  if (member === 'settings' && inside.length > 0) return codeOfSetting(mistake);
  if (member === 'files' && mistake.kind === 'value') return inside.length === 0 ? 'files.none' : 'file.bad_name';
  return `field.${mistake.kind}`;
};

const noSetting = 'unknown setting';
const noField = 'is not a field of this request';

/** Collects the problems of an input, so that the submitter gets them all at once. */
export class ProblemList {
  private readonly problems: ApiProblem[] = [];
  private found = 0;

  add(code: ProblemCode, field: string, reason: string, allowed?: string): void {
    this.append({ field, reason, code, ...(allowed !== undefined && { allowed }) });
  }

  addMistake(mistake: Mistake): void {
    const { path, field, reason, allowed, known } = mistake;
    const code = codeOf(mistake);
    if (known === undefined) this.add(code, field === '' ? 'body' : field, reason, allowed);
    else this.addUnknown(code, field, code === 'setting.unknown' ? noSetting : noField, String(path.at(-1)), known);
  }

  append(problem: ApiProblem): void {
    this.found += 1;
    if (this.found <= maxReported) this.problems.push(problem);
  }

  /**
   * Reports an unknown name, with the most similar valid one.
   * @param reason without that hint
   */
  addUnknown(code: ProblemCode, field: string, reason: string, given: string, known: readonly string[]): void {
    // Comparing names is expensive, so hints are only computed for listed problems.
    const near = this.found < maxReported ? nearestName(given, known) : undefined;
    const hint = near === undefined ? '' : `; did you mean "${near}"?`;
    this.add(code, field, `${reason}${hint}`, known.join(', '));
  }

  /** The first hundred, and the number of the others. */
  get all(): readonly ApiProblem[] {
    const more = this.found - this.problems.length;
    if (more === 0) return this.problems;
    const reason = `${String(more)} more problem${more === 1 ? '' : 's'}`;
    return [...this.problems, { field: 'body', reason, code: 'problems.more' satisfies ProblemCode }];
  }

  get count(): number {
    return this.found;
  }

  get isEmpty(): boolean {
    return this.found === 0;
  }
}

/** @throws Fault `request.invalid` with all problems */
export const refuseProblems = (problems: ProblemList): void => {
  if (!problems.isEmpty)
    throw new Fault('request.invalid', 'caller', 'The request is invalid; nothing was changed.', {
      problems: problems.all,
    });
};
