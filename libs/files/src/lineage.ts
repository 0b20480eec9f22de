import type { CycleRecord, SessionFile } from '@fleet/contracts';
import { metricValue } from '@fleet/contracts';

/** Where the files of one category come from, and which cycles measured them; built once, asked often. */
export interface Lineage {
  /** Files of the category that went into the cycle which made this file. */
  parents(file: SessionFile): readonly SessionFile[];
  /** Files of the category made from this one. */
  children(file: SessionFile): readonly SessionFile[];
  /** Measured on this very file: by the cycle that made it, else by a later one that used it and made nothing of this category. */
  measured(file: SessionFile, metric: string): number | undefined;
}

const group = <K, V>(pairs: readonly (readonly [K, V])[]): ReadonlyMap<K, readonly V[]> => {
  const groups = new Map<K, V[]>();
  for (const [key, value] of pairs) {
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [value]);
    else members.push(value);
  }
  return groups;
};

/** Lineage of the members of one category through the cycles that succeeded. */
export const lineageOf = (members: readonly SessionFile[], cycles: readonly CycleRecord[]): Lineage => {
  const byPath = new Map(members.map((file) => [file.path, file]));
  const succeeded = new Map(
    cycles.filter(({ result }) => result?.outcome === 'success').map((cycle) => [cycle.cycle, cycle]),
  );
  const inputsOf = (cycle: CycleRecord | undefined): readonly SessionFile[] =>
    (cycle?.decision.inputs ?? []).flatMap(({ path }) => byPath.get(path) ?? []);
  const made = members.flatMap((child) => inputsOf(succeeded.get(child.cycle)).map((parent) => ({ child, parent })));
  const parents = group(made.map(({ child, parent }) => [child, parent] as const));
  const children = group(made.map(({ child, parent }) => [parent, child] as const));
  const productive = new Set(members.map((file) => file.cycle));
  const validations = group(
    [...succeeded.values()]
      .filter(({ cycle }) => !productive.has(cycle))
      .flatMap((cycle) => inputsOf(cycle).map((file) => [file, cycle] as const)),
  );
  return {
    parents: (file) => parents.get(file) ?? [],
    children: (file) => children.get(file) ?? [],
    measured: (file, metric) =>
      [succeeded.get(file.cycle), ...(validations.get(file) ?? [])]
        .map((cycle) => metricValue(cycle?.result, metric))
        .find((value) => value !== undefined),
  };
};
