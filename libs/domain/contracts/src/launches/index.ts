export {
  launchModes,
  type AdminView,
  type KnownOrphan,
  type LaunchMode,
  type LaunchState,
  type OrphansView,
  type RemovalView,
} from './launch-control';
export { sightingsOfOrphan } from './orphans';
export {
  priorities,
  sharesPolicySchema,
  sharesRequestSchema,
  type ExpectedWait,
  type Priority,
  type SharesPolicy,
  type SharesState,
  type SharesView,
  type SharesRequest,
  type QueueStatusAnswer,
  type QueueStatus,
} from './shares';
