export { finishPurges } from './finish-purges';
export { purgeDue } from './purge-due';
export { readDeletion } from './read-deletion';
export { Retention, type RetentionPorts } from './retention';
export type { RetentionDependencies } from './retention-dependencies';
export { tellExpiries } from './tell-expiries';
