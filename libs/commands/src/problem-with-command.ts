import type { CycleRecord, Session, SessionFile } from '@fleet/contracts';
import { sessionFiles } from '@fleet/files';
import {
  allowedValues,
  problemWithValue,
  type ProgramKnowledge,
  type RuleBook,
  type StrategyKey,
} from '@fleet/knowledge-model';
import { defaultToken, fileToken, valueInToken } from './phil-tokens';

/** An argument as a sentence shows it: on one line, and short. */
const shown = (token: string): string => {
  const text = JSON.stringify(token);
  return text.length > 120 ? `${text.slice(0, 117)}..."` : text;
};

/** Every argument that gives a file to a slot that takes files of its format. */
const fileTokens = ({ inputs }: ProgramKnowledge, files: readonly SessionFile[]): ReadonlySet<string> =>
  new Set(
    inputs.flatMap((slot) =>
      files.filter(({ facts }) => slot.formats.includes(facts.format)).map(({ path }) => fileToken(slot, path)),
    ),
  );

const keyOf = ({ strategy }: ProgramKnowledge, token: string): StrategyKey | undefined =>
  strategy.find(({ parameter }) => token.startsWith(`${parameter}=`));

const problemWithParameter = (program: ProgramKnowledge, token: string): string | undefined => {
  const definition = keyOf(program, token);
  if (definition === undefined)
    return `its argument ${shown(token)} is neither a file of this session that ${program.name} takes nor a parameter of it`;
  const value = valueInToken(definition, token);
  const problem = value === undefined ? undefined : problemWithValue(definition, value);
  if (value !== undefined && problem === undefined) return undefined;
  const reason = problem?.reason ?? `must be ${allowedValues(definition)}`;
  return `its argument ${shown(token)} sets ${definition.key}, which ${reason}`;
};

/** A parameter that stands twice would be set by the second. */
const repeatedParameter = ({ strategy, defaults }: ProgramKnowledge, tokens: readonly string[]): string | undefined =>
  [...strategy, ...defaults]
    .map(({ parameter }) => parameter)
    .find((parameter) => tokens.filter((token) => token.startsWith(`${parameter}=`)).length > 1);

/**
 * Why a command may not run; undefined where every argument is the program, one of these files in a slot that takes it, a parameter that
 * is always set, or a parameter with a value of its type. Whoever made the command, and whatever it was kept in since, does not matter.
 */
export const problemWithCommand = (
  argv: readonly string[],
  program: ProgramKnowledge,
  files: readonly SessionFile[],
): string | undefined => {
  const [name, ...tokens] = argv;
  const expected = program.runs_as ?? program.name;
  if (name !== expected) return `it starts ${shown(name ?? '')} and not ${expected}`;
  const given = fileTokens(program, files);
  const fixed = new Set(program.defaults.map(defaultToken));
  const rest = tokens.filter((token) => !given.has(token) && !fixed.has(token));
  const wrong = rest.map((token) => problemWithParameter(program, token)).find((problem) => problem !== undefined);
  if (wrong !== undefined) return wrong;
  const twice = repeatedParameter(program, tokens);
  return twice === undefined ? undefined : `it sets ${twice} twice`;
};

/** Submitted files, and outputs that lie in the session's own folder. */
const ownFiles = (session: Session): readonly SessionFile[] =>
  sessionFiles(session).filter(
    ({ path, cycle }) => cycle === 0 || (path.startsWith(`${session.folder}/`) && !path.split('/').includes('..')),
  );

/**
 * Why a cycle's command may not be launched; undefined where it may. The last look before a program starts: the record may have come from a
 * store or a file that somebody else writes.
 */
export const problemWithLaunch = (
  session: Session,
  { decision }: CycleRecord,
  { programs }: Pick<RuleBook, 'programs'>,
): string | undefined => {
  const program = Object.hasOwn(programs, decision.program) ? programs[decision.program] : undefined;
  if (program === undefined) return `the knowledge here does not describe ${shown(decision.program)}`;
  const files = ownFiles(session);
  const paths = new Set(files.map(({ path }) => path));
  const foreign = decision.inputs.find(({ path }) => !paths.has(path));
  if (foreign !== undefined) return `its input ${shown(foreign.path)} is not a file of this session`;
  return problemWithCommand(decision.argv, program, files);
};
