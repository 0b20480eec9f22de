import { readFile, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Fault } from '@fleet/contracts/faults';
import { parseRuleBook, type KnowledgeFile, type RuleBook } from '@fleet/knowledge-model';

const isKnowledge = (path: string): boolean => path.endsWith('.yaml') || path.endsWith('.schema.json');

const readFolder = async (folder: string): Promise<readonly KnowledgeFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new Fault('knowledge.unreadable', 'caller', `The knowledge folder ${folder} cannot be read`, {
      cause: error,
    });
  });
  const paths = entries
    .filter((entry) => entry.isFile() && isKnowledge(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.toSorted().map(async (path) => ({
      path: relative(folder, path).split(sep).join('/'),
      text: await readFile(path, 'utf8'),
    })),
  );
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
export const loadRuleBook = async (folder: string): Promise<RuleBook> =>
  deepFreeze(parseRuleBook(await readFolder(folder)));
