/** Who may do what: one closed list of actions and one pure function. */
export { actionRules, actions, ruleOf, scopesOfRole, type Action } from './actions';
export {
  anyone,
  denialOf,
  isWithinReach,
  may,
  reachOf,
  refusalOf,
  type Denial,
  type Reach,
  type Resource,
} from './may';
