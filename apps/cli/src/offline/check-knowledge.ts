import { shortName } from '@fleet/contracts/sessions';
import { isFault, type FieldProblem } from '@fleet/contracts/faults';
import type { ProgramKnowledge, RuleBook } from '@fleet/knowledge-model';
import { compilePattern } from '@fleet/log-parsing';

const fileOf = ({ name }: ProgramKnowledge): string => `programs/${shortName(name)}.yaml`;

/** Problems of patterns, compiled as in the log reader: safe against backtracking, with the expected groups. */
const patternProblems = (program: ProgramKnowledge): readonly FieldProblem[] =>
  program.metrics.flatMap((pattern) => {
    try {
      compilePattern(pattern);
      return [];
    } catch (error) {
      if (!isFault(error)) throw error;
      return [{ field: `${fileOf(program)}#/metrics/${pattern.id}`, reason: error.message }];
    }
  });

const metricProblems = (program: ProgramKnowledge, { metrics }: RuleBook): readonly FieldProblem[] =>
  program.metrics
    .flatMap(({ id, metric, metrics: several }) =>
      [metric, ...Object.keys(several ?? {})].map((name) => ({ id, name })),
    )
    .filter(({ name }) => metrics[name] === undefined)
    .map(({ id, name }) => ({
      field: `${fileOf(program)}#/metrics/${id}`,
      reason: `reads the metric "${name}", which metrics.yaml does not describe`,
    }));

/** The workflow steps that offer a program: `xray: refine, validate`. */
export const stepsOf = ({ name }: ProgramKnowledge, { workflows }: RuleBook): readonly string[] =>
  Object.values(workflows).flatMap(({ experiment, steps }) => {
    const own = Object.entries(steps).filter(([, { programs }]) => programs.some(({ program }) => program === name));
    return own.length === 0 ? [] : [`${experiment}: ${own.map(([step]) => step).join(', ')}`];
  });

/** Parts of a program's knowledge that the code, or another file, cannot use. Pure. */
export const programProblems = (program: ProgramKnowledge, ruleBook: RuleBook): readonly FieldProblem[] => [
  ...patternProblems(program),
  ...metricProblems(program, ruleBook),
];

/** Summary steps that name missing programs. */
export const summaryProblems = ({ summary, programs }: RuleBook): readonly FieldProblem[] =>
  Object.keys(summary.steps)
    .filter((name) => programs[name] === undefined)
    .map((name) => ({ field: `metrics.yaml#/summary/steps/${name}`, reason: 'is not described in programs/' }));

/** Whether a problem concerns this program: it is in its file, or in another file that names it. */
export const concerns = (program: string, { field, reason }: FieldProblem): boolean => {
  const name = shortName(program);
  const whole = new RegExp(`(^|[^a-z0-9_])${name}([^a-z0-9_]|$)`);
  return field.startsWith(`programs/${name}.yaml`) || whole.test(field) || whole.test(reason);
};
