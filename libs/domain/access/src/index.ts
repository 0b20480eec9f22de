/** Who may do what: one closed list of actions and one pure function. */
export { actionRules, actions, attendants, ruleOf, scopesOfRole, type Action } from './actions';
export {
  anyone,
  denialOf,
  isKnownAt,
  isWithinReach,
  may,
  mayBegin,
  reachOf,
  refusalOf,
  type Denial,
  type Reach,
  type Resource,
} from './may';
export { principalOfClaims, type Claims, type Identified } from './principal-of-claims';
