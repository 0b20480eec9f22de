import { baseName, matchesGlob } from '@fleet/files';
import type { OutputRank } from '@fleet/file-inspection';
import type { FileCategory, RuleBook } from '@fleet/knowledge-model';

/**
 * Extensions of files that sessions continue with: models, data, maps, restraints, sequences
 * (knowledge/file_categories.yaml names the formats).
 */
const crystallographic = /\.(pdb|ent|cif|mmcif|mtz|sca|hkl|mrc|map|ccp4|fa|fasta|seq|dat)$/i;
const intermediate = 'intermediate';

/** After all that the program's own knowledge names. */
const [ofCategory, ofFormat, ofNothing, ofNoUse] = [1_000, 2_000, 3_000, 4_000];

const isNamedBy = (category: FileCategory, name: string, program: string): boolean =>
  (category.made_by.length === 0 || category.made_by.includes(program)) &&
  category.names.some((glob) => matchesGlob(name, glob)) &&
  !category.not_names.some((glob) => matchesGlob(name, glob));

/**
 * The rank of each file of a program, if there are more than a record stores: first the outputs named in the knowledge,
 * in order; then files of a file category; then models, data and maps; then the rest; last what is named intermediate.
 */
export const outputRank = ({ programs, fileCategories }: RuleBook, program: string): OutputRank => {
  const outputs = programs[program]?.outputs ?? [];
  return (path) => {
    const name = baseName(path);
    const own = outputs.findIndex(({ pattern }) => matchesGlob(name, pattern));
    if (own >= 0) return own;
    const categories = fileCategories.filter((category) => isNamedBy(category, name, program));
    if (categories.some((category) => category.name === intermediate)) return ofNoUse;
    if (categories.length > 0) return ofCategory;
    return crystallographic.test(name) ? ofFormat : ofNothing;
  };
};
