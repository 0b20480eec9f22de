export {
  claimantOf,
  claimOf,
  mayBeLive,
  type Claimant,
  type LaunchPolicy,
  type Nodes,
  type SharedRun,
  type SiteLimits,
  type SlotClaim,
} from './claims';
export { nextToLaunch, type Census, type Line, type Start, type Waiter } from './next-to-launch';
export { expectedWaits } from './expected-waits';
export { queueStatusesOf } from './queue-statuses';
export { waitReasonText } from './why-it-waits';
