/** Who may do what: one closed list of actions and one pure function. */
export { actionRules, actions, attendants, ruleOf, scopesOfRole, type Action } from './actions';
export {
  dataRootForm,
  ownerIn,
  proposalsRoot,
  readDataRoot,
  sharedRoot,
  type DataOwner,
  type DataRoot,
} from './data-roots';
export {
  anyone,
  denialOf,
  isKnownAt,
  isWithinReach,
  may,
  mayBegin,
  mayRead,
  reachOf,
  refusalOf,
  type Denial,
  type Reach,
  type Resource,
} from './may';
export { principalOfClaims, type Claims, type Identified } from './principal-of-claims';
