import { atomicNumber, type ProgramKnowledge } from '@fleet/knowledge-model';
import type { SetKey } from './strategy';

interface Adjustment {
  readonly keys: readonly SetKey[];
  readonly adjusted: readonly string[];
}

/**
 * The heavier scatterer is the one that a substructure is searched with; the lighter ones are added afterwards. Where somebody named
 * them the other way round the two are exchanged, and it is told (knowledge: `heavier_first`).
 */
export const heavierFirst = ({ heavier_first: rule }: ProgramKnowledge, keys: readonly SetKey[]): Adjustment => {
  const valueOf = (name: string | undefined): string =>
    String(keys.find(({ definition }) => definition.key === name)?.value ?? '');
  const main = valueOf(rule?.key);
  const others = valueOf(rule?.others).split(/[\s,+]+/);
  const [heaviest] = others.toSorted((one, other) => atomicNumber(other) - atomicNumber(one));
  if (rule === undefined || heaviest === undefined || main === '' || atomicNumber(heaviest) <= atomicNumber(main))
    return { keys, adjusted: [] };
  const lighter = others.map((one) => (one === heaviest ? main : one)).join(' ');
  const exchanged = new Map([
    [rule.key, heaviest],
    [rule.others, lighter],
  ]);
  return {
    keys: keys.map((one) => ({ ...one, value: exchanged.get(one.definition.key) ?? one.value })),
    adjusted: [`${rule.key}=${heaviest} and ${rule.others}=${lighter}: ${rule.why}`],
  };
};
