export { loadRuleBook } from './load-rule-book';
