import { baseName, type JudgedCycles } from '@fleet/files';
import type { FactSheet } from '@fleet/knowledge-model';
import type { AnalysedCycle, FilesView } from '../workflow-input';

/** Categories of maps; the first that a map belongs to counts. */
const kinds = ['half_map', 'density_modified_map', 'judging_map'] as const;

/** `refinement_unjudged`, and, if there are several maps, to which one the correlation of the last refinement refers. */
export const addJudgedFacts = (
  sheet: FactSheet,
  { isUnjudged, counts }: JudgedCycles<AnalysedCycle>,
  { byCategory }: FilesView,
): void => {
  sheet.refinement_unjudged = isUnjudged;
  if (counts === undefined || (byCategory.get('map')?.length ?? 0) < 2) return;
  const kindOf = (path: string) => kinds.find((kind) => byCategory.get(kind)?.some((file) => file.path === path));
  const maps = counts.decision.inputs.flatMap(({ slot, path }) => {
    const kind = kindOf(path);
    return kind === undefined ? [] : [{ slot, path, kind }];
  });
  const [own] = maps.filter(({ slot }) => slot !== 'half_map');
  if (own === undefined && maps.length < 2) return;
  sheet.judged_map = own === undefined ? 'the mean of the half maps' : baseName(own.path);
  sheet.judged_map_kind = own?.kind ?? 'judging_map';
};
