import { baseName, type JudgedCycles } from '@fleet/files';
import type { FactSheet } from '@fleet/knowledge-model';
import type { AnalysedCycle, FilesView } from '../workflow-input';

/** Which of these categories a map is in; the first counts. */
const kinds = ['half_map', 'density_modified_map', 'judging_map'] as const;

/** `refinement_unjudged`, and which map the correlation of the last refinement is with, where there are several. */
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
