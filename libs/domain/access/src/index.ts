/** Who may do what: one closed list of actions and one pure function. */
export { actionRules, actions, ruleOf, scopesOfRole, type Action } from './actions';
export { anyone, isWithinReach, may, reachOf, refusalOf, type Reach, type Refusal, type Resource } from './may';
