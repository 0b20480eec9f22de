import { atomicNumber, symbolsIn, type ProgramKnowledge } from '@fleet/knowledge-model';
import type { SetKey } from './strategy';

interface Adjustment {
  readonly keys: readonly SetKey[];
  readonly adjusted: readonly string[];
}

interface Scatterers {
  readonly main: string;
  readonly others: readonly string[];
}

const isSame = (one: string, other: string): boolean => one.toUpperCase() === other.toUpperCase();

/** The heaviest first: it swaps positions with the former first one. */
const heaviestFirst = ([main = '', ...others]: readonly string[]): Scatterers => {
  const heaviest = others.toSorted((one, other) => atomicNumber(other) - atomicNumber(one))[0] ?? main;
  const chosen = atomicNumber(heaviest) > atomicNumber(main) ? heaviest : main;
  const lighter = others.map((one) => (one === chosen && chosen !== main ? main : one));
  return {
    main: chosen,
    others: lighter.filter(
      (one, index) => !isSame(one, chosen) && lighter.findIndex((other) => isSame(one, other)) === index,
    ),
  };
};

/** The requested scatterers, under the keys of the rule. */
const requestsOf = (
  rule: NonNullable<ProgramKnowledge['heavier_first']>,
  keys: readonly SetKey[],
): { readonly given?: SetKey; readonly second?: SetKey } => {
  const keyOf = (name: string): SetKey | undefined => keys.find(({ definition }) => definition.key === name);
  const [given, second] = [keyOf(rule.key), keyOf(rule.others)];
  return { ...(given === undefined ? {} : { given }), ...(second === undefined ? {} : { second }) };
};

/**
 * The heavier scatterer is used for the substructure search; the lighter ones are added afterwards. If they were given in another order, or
 * all in one key (`Se, S`), they are reordered, and it is reported (knowledge:
 * `heavier_first`).
 */
export const heavierFirst = (program: ProgramKnowledge, keys: readonly SetKey[]): Adjustment => {
  const { heavier_first: rule, strategy } = program;
  const definition = strategy.find(({ key }) => key === rule?.others);
  if (rule === undefined || definition === undefined) return { keys, adjusted: [] };
  const { given, second } = requestsOf(rule, keys);
  if (given === undefined) return { keys, adjusted: [] };
  const listed = symbolsIn(given.value);
  const { main, others } = heaviestFirst([...listed, ...symbolsIn(second?.value ?? '')]);
  if (listed.length === 1 && main === listed[0]) return { keys, adjusted: [] };
  const remaining = keys.filter((one) => one !== given && one !== second);
  const first = { ...given, value: main };
  if (others.length === 0) return { keys: [...remaining, first], adjusted: [`${rule.key}=${main}: ${rule.why}`] };
  const rest = others.join(' ');
  return {
    keys: [...remaining, first, { ...(second ?? given), definition, value: rest }],
    adjusted: [`${rule.key}=${main} and ${rule.others}=${rest}: ${rule.why}`],
  };
};
