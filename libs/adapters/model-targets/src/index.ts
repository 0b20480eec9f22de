export { openTargets, type OpenTargets } from './open-targets';
export type { CallLimits, TargetSettings } from './target-settings';
export { readModelsFile, type ModelsSettings } from './settings/read-models-file';
