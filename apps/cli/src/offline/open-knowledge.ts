import { isConfigError, KnowledgeConfig, loadConfig } from '@fleet/config';
import { isFault, type FieldProblem } from '@fleet/contracts/faults';
import { loadRuleBook } from '@fleet/knowledge';
import type { ProgramKnowledge, RuleBook } from '@fleet/knowledge-model';
import { CliError } from '../cli-error';
import { exitCodes } from '../exit-codes';
import type { Terminal } from '../terminal';

type KnowledgeFolder = Pick<Terminal, 'knowledgeFolder'>;

export interface Knowledge {
  readonly folder: string;
  /** Absent if there are problems. */
  readonly ruleBook?: RuleBook;
  readonly problems: readonly FieldProblem[];
}

const folderOf = ({ knowledgeFolder }: KnowledgeFolder): string => {
  try {
    return loadConfig(KnowledgeConfig, { FLEET_KNOWLEDGE_DIR: knowledgeFolder }).folder;
  } catch (error) {
    throw isConfigError(error) ? new CliError(exitCodes.usage, error.message) : error;
  }
};

/**
 * The knowledge base of this installation (`FLEET_KNOWLEDGE_DIR`), with all its problems.
 * @throws CliError `usage` if there is none
 */
export const readKnowledge = (terminal: KnowledgeFolder): Knowledge => {
  const folder = folderOf(terminal);
  try {
    return { folder, ruleBook: loadRuleBook(folder), problems: [] };
  } catch (error) {
    if (!isFault(error)) throw error;
    if (error.problems.length === 0) throw new CliError(exitCodes.usage, error.message);
    return { folder, problems: error.problems };
  }
};

/** @throws CliError `usage` for a knowledge base with problems */
export const openRuleBook = (terminal: KnowledgeFolder): RuleBook => {
  const { ruleBook, folder, problems } = readKnowledge(terminal);
  if (ruleBook !== undefined) return ruleBook;
  const lines = problems.map(({ field, reason }) => `${field} ${reason}`);
  throw new CliError(exitCodes.usage, `The knowledge in ${folder} is invalid.`, lines);
};

/** The program of this name, with or without the prefix `phenix.`. */
const findProgram = ({ programs }: RuleBook, name: string): ProgramKnowledge | undefined =>
  Object.values(programs).find((program) => program.name === name || program.name === `phenix.${name}`);

/** @throws CliError `usage` that lists the existing programs */
export const programNamed = (ruleBook: RuleBook, name: string): ProgramKnowledge => {
  const found = findProgram(ruleBook, name);
  if (found !== undefined) return found;
  const known = Object.keys(ruleBook.programs).join(', ');
  throw new CliError(exitCodes.usage, `${JSON.stringify(name)} is not a program of the agent.`, [`known: ${known}`]);
};
