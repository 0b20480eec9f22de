// Stands before `@fleet/knowledge` while mutants are tested: the YAML is read and checked once, and each spec that asks gets a copy of its own,
// so that what is remembered for a rule book does not outlast a mutant.
const { resolve } = require('node:path');

// The working folder is the copy that is mutated.
const knowledge = require(resolve('libs/adapters/knowledge/src/index.ts'));

const frozen = (value) => {
  if (value === null || typeof value !== 'object') return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
};

const ruleBooks = {};

module.exports = {
  ...knowledge,
  loadRuleBook: async (folder) => {
    ruleBooks[folder] ??= await knowledge.loadRuleBook(folder);
    return frozen(globalThis.structuredClone(ruleBooks[folder]));
  },
};
