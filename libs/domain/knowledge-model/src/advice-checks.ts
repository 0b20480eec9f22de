import type { FieldProblem } from '@fleet/contracts/faults';
import { experimentTypes, type ExperimentType } from '@fleet/contracts/sessions';
import { strategyKeyNamed } from './parameter-values';
import type { RuleBook } from './rule-book';

/** A program that `advice.yaml` names, and the text there. */
interface NamedProgram {
  readonly at: string;
  readonly program: string;
  readonly experiments?: readonly ExperimentType[];
  readonly key?: string;
}

const namedPrograms = ({ programs, initial_model, meant, settings }: RuleBook['advice']): readonly NamedProgram[] => [
  ...programs.map(({ program, experiments: those, alone }, index) => ({
    at: `#/programs/${String(index)}`,
    program,
    ...(those === undefined ? {} : { experiments: those }),
    ...(alone === undefined ? {} : { key: alone }),
  })),
  ...experimentTypes.flatMap((one) => [
    { at: `#/meant/validation/${one}`, program: meant.validation[one], experiments: [one] },
    { at: `#/initial_model/programs/${one}`, program: initial_model.programs[one], experiments: [one] },
    {
      at: `#/meant/refinement/${one}`,
      program: meant.refinement[one].program,
      experiments: [one],
      key: meant.refinement[one].macro_cycles,
    },
  ]),
  { at: '#/meant/phasing', program: meant.phasing },
  { at: '#/meant/omit_map', program: meant.omit_map.program, key: meant.omit_map.selection },
  ...settings.flatMap(({ key, program }, index) =>
    program === undefined ? [] : [{ at: `#/settings/${String(index)}`, program, key }],
  ),
];

const problemsOf = (
  { program, experiments: those = [], key }: NamedProgram,
  { programs }: RuleBook,
): readonly string[] => {
  const known = programs[program];
  if (known === undefined) return [`names "${program}", which is not described`];
  return [
    ...those
      .filter((one) => !known.experiments.includes(one))
      .map((one) => `names "${program}", which is not for ${one}`),
    ...(key === undefined || strategyKeyNamed(known, key) !== undefined
      ? []
      : [`names "${key}", which is not a strategy key of ${program}`]),
  ];
};

/** A metric that no program reports would never be reached. */
const problemsOfUntil = ({ advice: { until }, programs }: RuleBook): readonly FieldProblem[] =>
  Object.values(programs).some(({ metrics }) => metrics.some(({ metric }) => metric === until.metric))
    ? []
    : [{ field: 'advice.yaml#/until/metric', reason: `names the metric "${until.metric}", which no program tells` }];

/** Unknown programs, strategy keys and metrics in `advice.yaml`. */
export const problemsOfAdvice = (ruleBook: RuleBook): readonly FieldProblem[] => {
  const all = Object.values(ruleBook.programs);
  return [
    ...problemsOfUntil(ruleBook),
    ...namedPrograms(ruleBook.advice).flatMap((named) =>
      problemsOf(named, ruleBook).map((reason) => ({ field: `advice.yaml${named.at}`, reason })),
    ),
    ...ruleBook.advice.settings.flatMap(({ key, program }, index) =>
      program !== undefined || all.some((one) => strategyKeyNamed(one, key) !== undefined)
        ? []
        : [
            {
              field: `advice.yaml#/settings/${String(index)}`,
              reason: `names the strategy key "${key}", which nothing has`,
            },
          ],
    ),
  ];
};
