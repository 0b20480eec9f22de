import type { StrategyValue } from '@fleet/contracts/schema';
import { atomicNumber } from './chemical-elements';
import { isTextType, namesLigand, namesOutput, type ParameterType } from './parameter-type';
import type { ProgramKnowledge, StrategyKey } from './program-knowledge';
import { allowedText, isTextOf } from './text-types';

const allowedElements = ({ also = [], several }: Extract<ParameterType, { readonly type: 'element' }>): string => {
  const one = ['a chemical symbol such as Se', ...also].join(' or ');
  return several === true ? `${one}, or several such as "Se, S"` : one;
};

/** The allowed values of a parameter, in words: `a whole number from 1 to 64`. */
export const allowedValues = (type: ParameterType): string => {
  if (isTextType(type)) return allowedText(type.type);
  switch (type.type) {
    case 'integer':
    case 'number': {
      const kind = type.type === 'integer' ? 'a whole number' : 'a number';
      return `${kind} from ${type.min} to ${type.max}${type.unit === undefined ? '' : ` ${type.unit}`}`;
    }
    case 'boolean':
      return 'true or false';
    case 'choice':
      return `one of ${type.choices.join(', ')}`;
    case 'element':
      return allowedElements(type);
  }
};

const isNumberOf = (
  { type, min, max }: Extract<ParameterType, { readonly min: number }>,
  value: StrategyValue,
): boolean =>
  typeof value === 'number' && (type === 'number' || Number.isInteger(value)) && value >= min && value <= max;

const isSymbol = (value: string): boolean => /^[A-Za-z]{1,2}$/.test(value) && atomicNumber(value) > 0;

/** Values of the types that are written in words. */
const isWordOf = (
  type: Exclude<ParameterType, { readonly type: 'integer' | 'number' | 'boolean' }>,
  value: string,
): boolean => {
  if (isTextType(type)) return isTextOf(type.type, value);
  return type.type === 'choice' ? type.choices.includes(value) : isSymbol(value) || type.also?.includes(value) === true;
};

const fits = (type: ParameterType, value: StrategyValue): boolean => {
  if ('min' in type) return isNumberOf(type, value);
  if (type.type === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string' && isWordOf(type, value);
};

/** A problem with a value, as a predicate: `must be true or false`. */
export interface ValueProblem {
  readonly reason: string;
  readonly allowed: string;
}

/** Why a value does not have a parameter's type; undefined if it does. The only validation of values in a command. */
export const problemWithValue = (type: ParameterType, value: StrategyValue): ValueProblem | undefined => {
  if (fits(type, value)) return undefined;
  const allowed = allowedValues(type);
  return { reason: `must be ${allowed}`, allowed };
};

/** The symbols of a list such as `Se, S` or `Se+S`. */
export const symbolsIn = (list: StrategyValue): readonly string[] =>
  String(list)
    .split(/[\s,+]+/)
    .filter((symbol) => symbol !== '');

const isListOfRequests = (type: ParameterType, value: StrategyValue): boolean => {
  if (type.type !== 'element' || type.several !== true || typeof value !== 'string' || value.length > 60) return false;
  const symbols = symbolsIn(value);
  return symbols.length > 0 && symbols.every((symbol) => isWordOf(type, symbol));
};

/** A value that omits the parameter, if the program or the service would otherwise choose it: twinning is refined without a law. */
const leavesOut = ({ type }: ParameterType, value: StrategyValue): boolean => type === 'twin_law' && value === false;

/** Why a submitter, a client or a chooser may not set a parameter to a value; undefined if it is valid. */
export const problemWithRequest = (definition: StrategyKey, value: StrategyValue): ValueProblem | undefined => {
  if (namesOutput(definition))
    return {
      reason: 'names what the program writes, which only this service does',
      allowed: 'nothing; leave it out, results lie in the folder of the session',
    };
  if (namesLigand(definition))
    return {
      reason: 'names a ligand, which only the submission does',
      allowed: 'nothing; leave it out, and submit the ligand with its code or SMILES (ligands)',
    };
  if (isListOfRequests(definition, value) || leavesOut(definition, value)) return undefined;
  return problemWithValue(definition, value);
};

type Strategy = ProgramKnowledge['strategy'];

/** Strategy keys by all their names: name, alias and the program's own parameter; the first of two with the same name. */
const calledKeys = new WeakMap<Strategy, ReadonlyMap<string, StrategyKey>>();

const keysByName = (strategy: Strategy): ReadonlyMap<string, StrategyKey> => {
  const names = strategy.flatMap((one) =>
    [one.key, one.parameter, ...(one.aliases ?? [])].map((name) => [name, one] as const),
  );
  return new Map(names.toReversed());
};

/** The strategy key of a program with this name: its own, an alias, or the program's parameter. */
export const strategyKeyNamed = ({ strategy }: ProgramKnowledge, name: string): StrategyKey | undefined => {
  const known = calledKeys.get(strategy) ?? keysByName(strategy);
  calledKeys.set(strategy, known);
  return known.get(name);
};

/** Whether the names are equal, or one is the end of the other after a dot, as programs abbreviate their parameters. */
export const isSameParameter = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
