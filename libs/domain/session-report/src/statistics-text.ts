import { solutionPaths, type SolutionPath, type StatisticsGrouping } from '@fleet/contracts/statistics';

const pathTexts: Readonly<Record<SolutionPath, string>> = {
  experimental_phasing: 'experimental phasing',
  prediction: 'prediction',
  molecular_replacement: 'molecular replacement',
  docking: 'docking',
  map_building: 'map building',
  refinement: 'refinement',
  none: 'no model',
};

const unknownTexts: Readonly<Partial<Record<StatisticsGrouping, string>>> = { beamline: 'none' };

/** The key of a group of statistics for people. */
export const statisticsKeyText = (by: StatisticsGrouping, key: string): string => {
  if (key === '') return unknownTexts[by] ?? 'not known';
  if (by === 'resolution') return `${key}–${(Number(key) + 0.5).toFixed(1)} Å`;
  const path = by === 'path' ? solutionPaths.find((one) => one === key) : undefined;
  return path === undefined ? key : pathTexts[path];
};
