export { actionRules, actions, attendants, openActions, ruleOf, scopesOfRole, type Action } from './actions';
export { declareRoutes, type NamedRoute, type QuerySchemas, type QueryValues, type Route } from './route';
export { principalRoles, type PrincipalRole, accessScopes, type AccessScope } from './actions';
