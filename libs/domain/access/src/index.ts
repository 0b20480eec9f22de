/** Permissions for the actions of `@fleet/contracts`, as pure functions. */
export {
  dataRootForm,
  ownerIn,
  proposalsRoot,
  readDataRoot,
  sharedRoot,
  type DataOwner,
  type DataRoot,
} from './data-roots';
export { denied, notTheirs } from './denied';
export { doneBy } from './done-by';
export {
  anyone,
  denialOf,
  isKnownAt,
  isWithinReach,
  may,
  mayBegin,
  mayRead,
  reachOf,
  type Reach,
  type Resource,
} from './may';
export { principalOfClaims, type Claims } from './principal-of-claims';
