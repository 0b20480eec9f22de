import {
  componentOf,
  type CycleRecord,
  type Session,
  type SessionFile,
  type SessionRequest,
} from '@fleet/contracts/sessions';
import { sessionFiles } from '@fleet/files';
import {
  allowedValues,
  compoundParameter,
  problemWithValue,
  type ProgramKnowledge,
  type RuleBook,
  type StrategyKey,
} from '@fleet/knowledge-model';
import { defaultToken, pathInToken, valueInToken } from './phil-tokens';

/** An argument for a sentence: on one line, and short. */
const shown = (token: string): string => {
  const text = JSON.stringify(token);
  return text.length > 120 ? `${text.slice(0, 117)}..."` : text;
};

type FilesByPath = ReadonlyMap<string, SessionFile>;

const byPath = (files: readonly SessionFile[]): FilesByPath => new Map(files.map((file) => [file.path, file]));

/** Whether an argument gives one of the files to a slot that accepts its format. */
const givesFile = (token: string, { inputs }: ProgramKnowledge, files: FilesByPath): boolean =>
  inputs.some((slot) => {
    const file = files.get(pathInToken(slot, token) ?? '');
    return file !== undefined && slot.formats.includes(file.facts.format);
  });

/** The SMILES of the ligand that a file is named after (`LIG.smi`); undefined if the session has no such ligand. */
export const compoundIn = ({ ligands = [] }: Pick<SessionRequest, 'ligands'>, name: string): string | undefined =>
  ligands.find((ligand) => ligand.smiles !== undefined && `${componentOf(ligand)}.smi` === name)?.smiles;

/** A SMILES file of a ligand that was not submitted. */
const unknownCompound = (
  argv: readonly string[],
  program: ProgramKnowledge,
  request: SessionRequest,
): string | undefined => {
  const flag = compoundParameter(program);
  const names = argv.filter((token) => token.startsWith(`${String(flag)}=`)).map((token) => token.replace(/^.*?=/, ''));
  return flag === undefined ? undefined : names.find((name) => compoundIn(request, name) === undefined);
};

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

/** The second value of a repeated parameter would win. */
const repeatedParameter = ({ strategy, defaults }: ProgramKnowledge, tokens: readonly string[]): string | undefined =>
  [...strategy, ...defaults]
    .map(({ parameter }) => parameter)
    .find((parameter) => tokens.filter((token) => token.startsWith(`${parameter}=`)).length > 1);

/**
 * Why a command may not run; undefined if every argument is the program, one of these files in a slot that accepts it, a parameter that is
 * always set, or a parameter with a value of its type. The source and storage of the command do not matter.
 */
export const problemWithCommand = (
  argv: readonly string[],
  program: ProgramKnowledge,
  sessionsFiles: readonly SessionFile[],
): string | undefined => {
  const files = byPath(sessionsFiles);
  const [name, ...tokens] = argv;
  const expected = program.runs_as ?? program.name;
  if (name !== expected) return `it starts ${shown(name ?? '')} and not ${expected}`;
  const fixed = new Set(program.defaults.map(defaultToken));
  const rest = tokens.filter((token) => !fixed.has(token) && !givesFile(token, program, files));
  const wrong = rest.map((token) => problemWithParameter(program, token)).find((problem) => problem !== undefined);
  if (wrong !== undefined) return wrong;
  const twice = repeatedParameter(program, tokens);
  return twice === undefined ? undefined : `it sets ${twice} twice`;
};

const climbs = (path: string): boolean => path.split('/').includes('..');

const isOwnFolder = ({ id, folder, request }: Session): boolean =>
  folder.endsWith(`/${request.proposal}/${id}`) && !climbs(folder);

/** Submitted files, and outputs in the session's own folder. */
const ownFiles = (session: Session): readonly SessionFile[] =>
  sessionFiles(session).filter(
    ({ path, cycle }) => cycle === 0 || (path.startsWith(`${session.folder}/`) && !climbs(path)),
  );

/**
 * Why a cycle's command may not be launched; undefined if it may. The last check before a program starts: other processes may have written to
 * the store or file that the record came from.
 */
export const problemWithLaunch = (
  session: Session,
  { decision }: CycleRecord,
  { programs }: Pick<RuleBook, 'programs'>,
): string | undefined => {
  const program = Object.hasOwn(programs, decision.program) ? programs[decision.program] : undefined;
  if (program === undefined) return `the knowledge here does not describe ${shown(decision.program)}`;
  if (!isOwnFolder(session)) return `${shown(session.folder)} is not the folder of session ${session.id}`;
  const files = ownFiles(session);
  const paths = new Set(files.map(({ path }) => path));
  const foreign = decision.inputs.find(({ path }) => !paths.has(path));
  if (foreign !== undefined) return `its input ${shown(foreign.path)} is not a file of this session`;
  const compound = unknownCompound(decision.argv, program, session.request);
  if (compound !== undefined) return `${shown(compound)} is not a ligand of this session`;
  return problemWithCommand(decision.argv, program, files);
};
