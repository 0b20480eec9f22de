export { isDescribed, mistakesIn, type Mistake } from './check';
export { shown } from './allowed';
export {
  anyObject,
  choice,
  closed,
  exactly,
  flag,
  integer,
  list,
  mapOf,
  mark,
  number,
  record,
  text,
  type Described,
  type JsonSchema,
  type Schema,
} from './schema';
export { withDefaults } from './defaults';
export { withoutMistakes } from './without-mistakes';
export { count, scalar, time, type StrategyValue } from './schema-fields';
export { nearestName } from './nearest-name';
export { folderName } from './schema-fields';
export { also, byName, differing, matching, merged, oneOf, someOf } from './file-schemas';
