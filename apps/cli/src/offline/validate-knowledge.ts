import { patternProblemsOf } from '@fleet/advice';
import type { FieldProblem } from '@fleet/contracts/faults';
import { counted, plainLine } from '@fleet/session-report';
import { CliError } from '../cli-error';
import type { CommandContext } from '../command-context';
import { exitCodes, type ExitCode } from '../exit-codes';
import { concerns, programProblems, summaryProblems } from './check-knowledge';
import { programNamed, readKnowledge, type Knowledge } from './open-knowledge';

const problemsOfAll = ({ ruleBook, problems }: Knowledge): readonly FieldProblem[] =>
  ruleBook === undefined
    ? problems
    : [
        ...Object.values(ruleBook.programs).flatMap((program) => programProblems(program, ruleBook)),
        ...summaryProblems(ruleBook),
        ...patternProblemsOf(ruleBook.advice),
      ];

const problemsOf = (name: string, { ruleBook, problems }: Knowledge): readonly FieldProblem[] =>
  ruleBook === undefined
    ? problems.filter((problem) => concerns(name, problem))
    : programProblems(programNamed(ruleBook, name), ruleBook);

const whatIsRight = (name: string | undefined, { ruleBook, problems }: Knowledge): string => {
  if (name === undefined) return `all ${String(Object.keys(ruleBook?.programs ?? {}).length)} programs are valid`;
  const others = problems.length === 0 ? '' : ` (${counted(problems.length, 'problem')} elsewhere)`;
  return `${name} is valid${others}`;
};

/** `phx knowledge validate`: schemas, names across files, and their use by the code. */
export const validateKnowledge = (context: CommandContext, name: string | undefined, all: boolean): ExitCode => {
  if (name !== undefined && all) throw new CliError(exitCodes.usage, 'Name a program or give --all, not both.');
  const knowledge = readKnowledge(context.terminal);
  const problems = name === undefined ? problemsOfAll(knowledge) : problemsOf(name, knowledge);
  context.print({ folder: knowledge.folder, valid: problems.length === 0, problems }, () =>
    problems.length === 0
      ? [`${knowledge.folder}: ${whatIsRight(name, knowledge)}`]
      : [
          ...problems.map(({ field, reason }) => plainLine(`${field}: ${reason}`)),
          `${String(problems.length)} problem${problems.length === 1 ? '' : 's'} in ${knowledge.folder}`,
        ],
  );
  return problems.length === 0 ? exitCodes.ok : exitCodes.usage;
};
