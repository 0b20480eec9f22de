import type { StrategyValue } from '@fleet/contracts';
import {
  fillKnownTemplate,
  holds,
  shortName,
  type AutoFill,
  type Facts,
  type FillValue,
  type ProgramKnowledge,
  type StrategyKey,
} from '@fleet/knowledge-model';
import type { CommandRequest, RejectedKey } from './command-types';

/** A key that reaches the command. */
export interface SetKey {
  readonly definition: StrategyKey;
  readonly value: StrategyValue;
  readonly source: 'strategy' | 'autofill';
  readonly why: string;
}

/** A newline in a value would be a second parameter to PHIL. */
const controlCharacter = /\p{Cc}/u;

const typeFits = (value: StrategyValue, type: StrategyKey['type']): boolean => {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof value === type;
};

/** Why a value may not go into a key, or undefined. */
const objection = (value: StrategyValue, { type, choices }: StrategyKey): string | undefined => {
  if (!typeFits(value, type)) return `is not ${type === 'integer' ? 'an' : 'a'} ${type}`;
  if (typeof value === 'string' && (value === '' || controlCharacter.test(value)))
    return 'is empty or holds control characters';
  if (choices !== undefined && !choices.includes(String(value))) return `is none of ${choices.join(', ')}`;
  return undefined;
};

/** Stage 2: what the decision asked for, as far as the program knows it. */
export const givenKeys = ({
  program,
  strategy,
}: CommandRequest): { readonly set: readonly SetKey[]; readonly rejected: readonly RejectedKey[] } => {
  const set: SetKey[] = [];
  const rejected: RejectedKey[] = [];
  for (const [key, value] of Object.entries(strategy)) {
    const definition = program.strategy.find((one) => one.key === key);
    const why = definition === undefined ? `${program.name} has no such parameter` : objection(value, definition);
    if (definition === undefined || why !== undefined) rejected.push({ key, why: why ?? 'unknown' });
    else set.push({ definition, value, source: 'strategy', why: 'asked for' });
  }
  return { set, rejected };
};

const rounded = (value: StrategyValue, decimals: number | undefined): StrategyValue =>
  typeof value === 'number' && decimals !== undefined ? Number(value.toFixed(decimals)) : value;

const runLabel = (stem: string, program: ProgramKnowledge, facts: Facts): string => {
  const runs = facts[`runs.${shortName(program.name)}`];
  return `${stem}_${String((typeof runs === 'number' ? runs : 0) + 1).padStart(3, '0')}`;
};

const valueOf = (fill: FillValue, program: ProgramKnowledge, facts: Facts): StrategyValue | undefined => {
  if ('constant' in fill) return fill.constant;
  if ('run_label' in fill) return runLabel(fill.run_label, program, facts);
  if ('template' in fill) return fillKnownTemplate(fill.template, facts);
  const value = facts[fill.fact];
  return value === undefined ? undefined : rounded(value, fill.decimals);
};

const filledKey = (
  { key, value, when, why }: AutoFill,
  program: ProgramKnowledge,
  facts: Facts,
): SetKey | undefined => {
  const definition = program.strategy.find((one) => one.key === key);
  if (definition === undefined || (when !== undefined && !holds(when, facts))) return undefined;
  const filled = valueOf(value, program, facts);
  return filled === undefined || objection(filled, definition) !== undefined
    ? undefined
    : { definition, value: filled, source: 'autofill', why };
};

/** Stage 3: fills what was left open; the first rule of a key that applies wins. */
export const fillKeys = (program: ProgramKnowledge, given: readonly SetKey[], facts: Facts): readonly SetKey[] => {
  const set = [...given];
  for (const rule of program.auto_fill) {
    if (set.some(({ definition }) => definition.key === rule.key)) continue;
    const filled = filledKey(rule, program, facts);
    if (filled !== undefined) set.push(filled);
  }
  return set;
};
