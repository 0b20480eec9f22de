export { openTargets, type OpenTargets } from './open-targets';
export type { TargetSettings } from './target-settings';
export { readModelsFile, type ModelsSettings } from './settings/read-models-file';
