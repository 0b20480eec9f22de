import type { CycleRecord, SessionFile } from '@fleet/contracts/sessions';
import { metricValue } from '@fleet/contracts/sessions';
import { groupBy } from './group-by';

/** Parents and measurements of the files of one category; built once for many queries. */
export interface Lineage {
  /** Files of the category that were inputs of the cycle which made this file; the identical list for all files of a cycle. */
  parents(file: SessionFile): readonly SessionFile[];
  /** Whether a descendant of this file in the category is measured. */
  hasMeasuredChild(file: SessionFile, metric: string): boolean;
  /** The value of the nearest measured ancestor. */
  measuredAncestor(file: SessionFile, metric: string): number | undefined;
  /** The value for this very file: from the cycle that made it, otherwise from a later one that used it and made nothing of this category. */
  measured(file: SessionFile, metric: string): number | undefined;
}

const nothing: readonly never[] = [];

const rememberedAs = <T>(find: (key: string) => T): ((key: string) => T) => {
  const known = new Map<string, T>();
  return (key) => {
    if (!known.has(key)) known.set(key, find(key));
    return known.get(key) as T;
  };
};

/** Computed once for each cycle and metric, for all files of the cycle. */
const remembered = <T>(find: (cycle: number, metric: string) => T): ((cycle: number, metric: string) => T) => {
  const known = new Map<string, T>();
  return (cycle, metric) => {
    const key = `${cycle} ${metric}`;
    if (!known.has(key)) known.set(key, find(cycle, metric));
    return known.get(key) as T;
  };
};

const ofMaker =
  (known: ReadonlyMap<number, number>) =>
  ({ cycle }: SessionFile): number | undefined =>
    known.get(cycle);

const firstKnown = (
  files: readonly SessionFile[],
  valueOf: (file: SessionFile) => number | undefined,
): number | undefined => files.map(valueOf).find((value) => value !== undefined);

/** Which members of a category were inputs of which successful cycles, and which cycles made them. */
const flowOf = (members: readonly SessionFile[], succeeded: ReadonlyMap<number, CycleRecord>) => {
  const byPath = new Map(members.map((file) => [file.path, file]));
  const inputs = new Map(
    [...succeeded].map(([number, { decision }]) => [
      number,
      [...new Set(decision.inputs.flatMap(({ path }) => byPath.get(path) ?? []))],
    ]),
  );
  const uses = [...inputs].flatMap(([cycle, files]) => files.map((file) => ({ file, cycle })));
  return { inputs, made: groupBy(members, ({ cycle }) => cycle), uses: groupBy(uses, ({ file }) => file) };
};

/** Lineage of the members of one category through the successful cycles. */
export const lineageOf = (members: readonly SessionFile[], cycles: readonly CycleRecord[]): Lineage => {
  const succeeded = new Map(
    cycles.filter(({ result }) => result?.outcome === 'success').map((cycle) => [cycle.cycle, cycle]),
  );
  const { inputs, made, uses } = flowOf(members, succeeded);
  const ownValue = remembered((cycle, metric) => metricValue(succeeded.get(cycle)?.result, metric));
  const usesOf = (file: SessionFile): readonly { readonly cycle: number }[] => uses.get(file) ?? nothing;
  const measured: Lineage['measured'] = (file, metric) => {
    const own = ownValue(file.cycle, metric);
    if (own !== undefined) return own;
    const validation = usesOf(file).find(({ cycle }) => !made.has(cycle) && ownValue(cycle, metric) !== undefined);
    return validation === undefined ? undefined : ownValue(validation.cycle, metric);
  };
  const parents: Lineage['parents'] = ({ cycle }) => inputs.get(cycle) ?? nothing;
  const oldestFirst = [...inputs].sort(([one], [other]) => one - other);
  const ofAncestors = rememberedAs((metric: string) => {
    const known = new Map<number, number>();
    for (const [cycle, given] of oldestFirst) {
      const value = firstKnown(given, (file) => measured(file, metric)) ?? firstKnown(given, ofMaker(known));
      if (value !== undefined) known.set(cycle, value);
    }
    return known;
  });
  const anyOfOutputs = remembered((cycle, metric) =>
    (made.get(cycle) ?? nothing).some((file) => measured(file, metric) !== undefined),
  );
  return {
    parents,
    measured,
    measuredAncestor: ({ cycle }, metric) => ofAncestors(metric).get(cycle),
    hasMeasuredChild: (file, metric) => usesOf(file).some(({ cycle }) => anyOfOutputs(cycle, metric)),
  };
};
