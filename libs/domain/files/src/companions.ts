import { groupBy } from './group-by';
import { baseName } from './name-glob';

const folderOf = (path: string): string => path.slice(0, path.length - baseName(path).length);

/** Cycles of the agent run in folders `sub_03_ligandfit`; the merge after a fit in `sub_04_pdbtools` beside it. */
const cycleFolder = /^(.*\/|)sub_\d{1,9}_[^/]*\/[^/]*$/;
const mergedModel = /^(.*\/|)sub_\d{1,9}_pdbtools\/[^/]*_with_ligand\.pdb$/i;

/** One key for each way in which the file of a path can have companions. */
const keysOfOwner = (path: string): readonly string[] => {
  const name = baseName(path);
  const refined = /^(.*refine_\d+)_data\.mtz$/i.exec(name)?.[1]?.toLowerCase();
  const home = cycleFolder.exec(path)?.[1];
  return [
    ...(refined === undefined ? [] : [`${folderOf(path)}${refined}`]),
    ...(/^overall_best_.*\.mtz$/i.test(name) ? [`${folderOf(path)}overall_best`] : []),
    ...(home === undefined ? [] : [`${home}/merged`]),
  ];
};

/** The same key for each way in which it can be a companion. */
const keysOfCompanion = (path: string): readonly string[] => {
  const name = baseName(path);
  const refined = /^(.*refine_\d+)(?:_\d+)?\.(?:mtz|pdb|cif)$/i.exec(name)?.[1]?.toLowerCase();
  const home = mergedModel.exec(path)?.[1];
  return [
    ...(refined === undefined ? [] : [`${folderOf(path)}${refined}`]),
    ...(name.toLowerCase() === 'overall_best.pdb' ? [`${folderOf(path)}overall_best`] : []),
    ...(home === undefined ? [] : [`${home}/merged`]),
  ];
};

/**
 * Finds companion files by name and folder (phenix-agent.md#companion-files): `refine_001_data.mtz` has its map coefficients
 * `refine_001_001.mtz` and its model `refine_001_001.pdb` beside it, `overall_best_*.mtz` has `overall_best.pdb`, and files in a cycle's
 * folder `sub_NN_*` have the merged `*_with_ligand.pdb` of the `sub_NN_pdbtools` beside it.
 * @param candidates paths of files of unknown origin; indexed once
 */
export const companionsAmong = (candidates: readonly string[]): ((paths: readonly string[]) => readonly string[]) => {
  const byKey = groupBy(
    candidates.flatMap((path) => keysOfCompanion(path).map((key) => ({ key, path }))),
    ({ key }) => key,
  );
  return (paths) => {
    const keys = new Set(paths.flatMap(keysOfOwner));
    return [...new Set([...keys].flatMap((key) => (byKey.get(key) ?? []).map(({ path }) => path)))];
  };
};
