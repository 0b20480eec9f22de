export { deleteOfOwner } from './delete-of-owner';
export { finishPurges } from './finish-purges';
export { purgeDue } from './purge-due';
export type { RetentionDependencies } from './retention-dependencies';
export { tellExpiries } from './tell-expiries';
export { sessionRetention } from './session-retention';
