import type { FieldProblem } from '@fleet/contracts/faults';
import type { StrategyValue } from '@fleet/contracts/schema';
import type { ErrorKnowledge } from './error-knowledge';
import { namesOutput } from './parameter-type';
import { problemWithValue } from './parameter-values';
import type { ProgramKnowledge, StrategyKey } from './program-knowledge';

/** Names of parameters with which programs take an output or input path. */
const placeName =
  /(?:^|\.)output(?:\.|$)|(?:^|[._])(?:prefix|suffix|root|files?|file_name|dir|directory|folder|path|log)$/i;

const repeated = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

const problemOfKey = (definition: StrategyKey): string | undefined => {
  if (placeName.test(definition.parameter) && !namesOutput(definition))
    return `sets ${definition.parameter}, which names a place: its type must be output_name, or it is an input slot`;
  if ('min' in definition && definition.min >= definition.max) return 'has a min that is not below its max';
  return undefined;
};

/** A value that the knowledge itself sets. */
interface OwnValue {
  readonly at: string;
  readonly key: string;
  readonly value: StrategyValue;
}

const ownValues = (
  { name, auto_fill, defaults, strategy }: ProgramKnowledge,
  errors: ErrorKnowledge,
): readonly OwnValue[] => [
  ...auto_fill.flatMap(({ key, value }, index): OwnValue[] => {
    const at = `#/auto_fill/${index}`;
    if ('constant' in value) return [{ at, key, value: value.constant }];
    return 'run_label' in value ? [{ at, key, value: `${value.run_label}_001` }] : [];
  }),
  ...defaults.flatMap(({ parameter, value }, index): OwnValue[] => {
    const key = strategy.find((one) => one.parameter === parameter)?.key;
    return key === undefined ? [] : [{ at: `#/defaults/${index}`, key, value }];
  }),
  ...errors.recoverable.flatMap(({ id, action }): OwnValue[] =>
    'set' in action
      ? Object.entries(action.set).map(([key, value]) => ({
          at: ` (errors.yaml#/recoverable/${id}, ${name})`,
          key,
          value,
        }))
      : [],
  ),
];

/** Invalid types, and the knowledge's own values of the wrong type. */
export const problemsOfParameters = (
  program: ProgramKnowledge,
  errors: ErrorKnowledge,
  file: string,
): readonly FieldProblem[] => {
  const { strategy } = program;
  const problems: FieldProblem[] = [];
  for (const parameter of repeated(strategy.map((one) => one.parameter)))
    problems.push({ field: `${file}#/strategy`, reason: `has the parameter "${parameter}" twice` });
  for (const definition of strategy) {
    const reason = problemOfKey(definition);
    if (reason !== undefined) problems.push({ field: `${file}#/strategy/${definition.key}`, reason });
  }
  for (const { at, key, value } of ownValues(program, errors)) {
    const definition = strategy.find((one) => one.key === key);
    const wrong = definition === undefined ? undefined : problemWithValue(definition, value);
    if (wrong !== undefined)
      problems.push({ field: `${file}${at}`, reason: `sets ${key} to ${String(value)}, which ${wrong.reason}` });
  }
  return problems;
};
