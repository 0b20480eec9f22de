import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { Fault } from '@fleet/contracts/faults';
import { parseRuleBook, type KnowledgeFile, type RuleBook } from '@fleet/knowledge-model';

const readFolder = (folder: string): readonly KnowledgeFile[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => ({ path: relative(folder, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }));
  } catch (error) {
    throw new Fault('knowledge.unreadable', 'caller', `The knowledge folder ${folder} cannot be read`, {
      cause: error,
    });
  }
};

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
};

/**
 * Reads, validates and freezes the rule book of a folder.
 * @throws Fault `knowledge.unreadable`, or `knowledge.invalid` with every problem of every file.
 */
export const loadRuleBook = (folder: string): RuleBook => deepFreeze(parseRuleBook(readFolder(folder)));
