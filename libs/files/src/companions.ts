import type { SessionFile } from '@fleet/contracts';
import { baseName } from './name-glob';

type NameTest = (name: string) => boolean;

/** Names that go with a file of this name: what the same run wrote beside it (seed 000, "Companion File Discovery"). */
const companionNames = (name: string): NameTest | undefined => {
  const refined = /^(.*refine_\d+)_data\.mtz$/i.exec(name)?.[1]?.toLowerCase();
  if (refined !== undefined) {
    return (other) =>
      other.toLowerCase().startsWith(refined) && /^(_\d+)?\.(mtz|pdb|cif)$/i.test(other.slice(refined.length));
  }
  if (/^overall_best_.*\.mtz$/i.test(name)) return (other) => other.toLowerCase() === 'overall_best.pdb';
  return undefined;
};

/**
 * Files of the same cycle that belong to a reflection file: `refine_001_data.mtz` has its map coefficients `refine_001_001.mtz` and its
 * model `refine_001_001.pdb`; `overall_best_*.mtz` has `overall_best.pdb`.
 */
export const companionsOf = (file: SessionFile, files: readonly SessionFile[]): readonly SessionFile[] => {
  const belongs = companionNames(baseName(file.path));
  if (belongs === undefined) return [];
  return files.filter((other) => other !== file && other.cycle === file.cycle && belongs(baseName(other.path)));
};
