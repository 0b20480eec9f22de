export { openTargets, type OpenTargets } from './open-targets';
export type { CallLimits, TargetSettings } from './target-settings';
