import { Fault } from '@fleet/contracts/faults';
import {
  attemptFolder,
  attemptName,
  cycleFolder,
  type RunCompoundFile,
  type RunInput,
  type RunOwner,
  type RunParameterFile,
  type RunSpec,
} from '@fleet/contracts/runs';
import type { InstalledProgram } from '@fleet/contracts/service';
import { traceIdOf, type CycleRecord, type Session } from '@fleet/contracts/sessions';
import { compoundIn } from '@fleet/commands';
import type { ProgramResources } from '@fleet/knowledge-model';
import type { RunLocation } from '@fleet/ports';
import { attemptResources, type ResourceLimits } from './attempt-resources';
import { runInputs, sequencesOf, simulatedAnswers } from './run-inputs';

export interface ExecutionLimits extends ResourceLimits {
  /** By the program's own name; undefined for programs unknown to the knowledge. */
  readonly ofProgram: (program: string) => Omit<ProgramResources, 'why'> | undefined;
  /** By the program's own name: arguments that it must receive in a file. */
  readonly parameterFileOf?: (program: string) => RunParameterFile | undefined;
  /** By the program's own name: the parameter for a file with the SMILES of a ligand. */
  readonly compoundParameterOf?: (program: string) => string | undefined;
  /** By the program's own name: slots whose files it must receive as one. */
  readonly joinedSlotsOf?: (program: string) => ReadonlySet<string>;
  readonly logBytes: number;
  /** Absolute, resolved folders that may contain submitted files; absent: none. */
  readonly inputRoots?: readonly string[];
}

/** For an unknown program (a decision of a newer release): a day, and the machine's maximum. */
const unknownProgramMinutes = 1_440;

/** The name and location of an attempt's run. */
export const locationOfAttempt = (session: Session, record: CycleRecord): RunLocation => ({
  name: attemptName(session.id, record.cycle, session.attempt),
  sessionFolder: session.folder,
  attemptFolder: attemptFolder(cycleFolder(record.cycle, record.decision.program), session.attempt),
});

/** Name of the program on the command line; a decision may use another name (autobuild_denmod runs autobuild). */
export const commandName = ({ decision }: CycleRecord): string => decision.argv[0] ?? decision.program;

/** The file that replaces some of these arguments; undefined if none of them is present. */
const neededFile = (file: RunParameterFile | undefined, argv: readonly string[]): RunParameterFile | undefined =>
  file !== undefined && argv.some((token) => token.startsWith(`${file.flag}=`)) ? file : undefined;

/** The file with the SMILES that the command names; undefined if it names none. */
const compoundFileOf = (
  { request }: Session,
  { decision }: CycleRecord,
  installed: InstalledProgram,
  flag: string | undefined,
): RunCompoundFile | undefined => {
  const index = decision.argv.findIndex((token) => flag !== undefined && token.startsWith(`${flag}=`));
  if (flag === undefined || index < 0) return undefined;
  const name = (decision.argv[index] ?? '').slice(flag.length + 1);
  const smiles = compoundIn(request, name);
  if (smiles === undefined)
    throw new Fault('execute.no_compound', 'bug', `${name} is named in a command, and no ligand of the session is it`);
  return { argument: index + installed.command.length - 1, flag, name, smiles };
};

/** The owner of the run, and its trace. */
const ownerOf = ({ id, attempt, request }: Session, { cycle }: CycleRecord): RunOwner => {
  const traceId = traceIdOf(request);
  const { proposal, beamline, priority } = request;
  return { sessionId: id, cycle, attempt, proposal, beamline, priority, ...(traceId !== undefined && { traceId }) };
};

/** The files of the command, and those that a stand-in presents. */
const inputsOf = (
  session: Session,
  record: CycleRecord,
  installed: InstalledProgram,
  { inputRoots = [], joinedSlotsOf }: ExecutionLimits,
): readonly RunInput[] => {
  const shift = installed.command.length - 1;
  const taken = runInputs(session, record, shift, inputRoots, joinedSlotsOf?.(record.decision.program));
  const answers = installed.provider === 'simulated' ? simulatedAnswers(taken, sequencesOf(session)) : [];
  return [...taken, ...answers];
};

/**
 * Everything that is needed to launch the current attempt, derived from the record, the knowledge and the installation.
 */
export const planRun = (
  session: Session,
  record: CycleRecord,
  installed: InstalledProgram,
  limits: ExecutionLimits,
): RunSpec => {
  const { decision } = record;
  const own = limits.ofProgram(decision.program);
  const minutes = session.request.settings.program_time_limit || (own?.wallClockMinutes ?? unknownProgramMinutes);
  const inputs = inputsOf(session, record, installed, limits);
  const parameterFile = neededFile(limits.parameterFileOf?.(decision.program), decision.argv);
  const compoundFile = compoundFileOf(session, record, installed, limits.compoundParameterOf?.(decision.program));
  const { memoryMiB, ...resources } = attemptResources(record, own, limits);
  return {
    ...locationOfAttempt(session, record),
    program: decision.program,
    argv: [...installed.command, ...decision.argv.slice(1)],
    ...(inputs.length > 0 && { inputs }),
    ...(parameterFile !== undefined && { parameterFile }),
    ...(compoundFile !== undefined && { compoundFile }),
    ...(installed.source !== undefined && { source: installed.source }),
    owner: ownerOf(session, record),
    resources,
    limits: { wallClock: minutes * 60, memoryMiB, outputBytes: limits.logBytes },
  };
};
