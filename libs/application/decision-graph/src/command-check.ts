import { problemWithCommand, type BuiltCommand } from '@fleet/commands';
import { isSameFreeSet } from '@fleet/files';
import { holds, type Condition, type ProgramKnowledge, type RuleBook } from '@fleet/knowledge-model';
import {
  copiedModels,
  essenceOf,
  isRequestedAgain,
  remakesInputs,
  scientificCycles,
  type DescribedSession,
} from '@fleet/workflow';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';

const sameArguments = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((token, index) => token === other[index]);

/** A free set other than the locked one would make R-free meaningless permanently. */
const foreignFreeSet = (command: BuiltCommand, { files }: DescribedSession): string | undefined => {
  const { lockedFreeFlags: locked } = files;
  const data = command.inputs.filter(({ slot }) => slot.free_flags === 'locked');
  if (locked === undefined || data.length === 0) return undefined;
  return data.some(({ file }) => isSameFreeSet(file, locked))
    ? undefined
    : `its reflection data are not those whose R-free flags are locked (${locked.path})`;
};

/** Why a command may not run; `exhausted`: the program has failed with it and has no other, so it cannot run in this situation. */
export interface CommandRejection {
  readonly why: string;
  readonly exhausted: boolean;
}

/** Refinement has ended, and a validation is required before the session ends. */
const validationRequired: Condition = {
  all: [
    { fact: 'refinement_finished', is: true },
    { fact: 'gate_open', is: false },
  ],
};

/** Whether refinement has since produced no better model: then the same validation may run again. */
const isValidatedAnew = (
  { group }: ProgramKnowledge,
  { facts }: DescribedSession,
  { cycle }: Pick<CycleRecord, 'cycle'>,
): boolean => group === 'validation' && cycle < Number(facts['refinement.last']) && holds(validationRequired, facts);

const repeated = (
  command: BuiltCommand,
  program: ProgramKnowledge,
  described: DescribedSession,
  session: Session,
): CommandRejection | undefined => {
  const earlier = scientificCycles(session).find(({ decision }) => sameArguments(decision.argv, command.argv));
  if (earlier === undefined) return undefined;
  // The output of that run is missing, so the same command is correct.
  const isLost =
    described.lostCycles.has(earlier.cycle) ||
    described.programs.get(earlier.decision.program)?.lostProduct !== undefined;
  if (isLost) return undefined;
  const failed = earlier.result.outcome === 'failed';
  if (!failed && (isRequestedAgain(program.name, described) || isValidatedAnew(program, described, earlier)))
    return undefined;
  return failed
    ? { why: `failed in cycle ${earlier.cycle}, and the same command fails again`, exhausted: true }
    : { why: `the same command ran in cycle ${earlier.cycle}`, exhausted: false };
};

/** The context of a command check, besides the session's description. */
interface Context {
  readonly session: Session;
  readonly ruleBook: RuleBook;
}

/** A refinement is a repetition if only the names of its outputs are new. */
const refinedAlready = (
  command: BuiltCommand,
  program: ProgramKnowledge,
  described: DescribedSession,
  { session, ruleBook }: Context,
): CommandRejection | undefined => {
  if (program.group !== 'refinement' || described.programs.get(program.name)?.lostProduct !== undefined)
    return undefined;
  const inputs = command.inputs.map(({ slot, file }) => ({ slot: slot.slot, path: file.path }));
  const all = scientificCycles(session).filter(
    ({ result, cycle }) => result.outcome === 'success' && !described.lostCycles.has(cycle),
  );
  const copies = copiedModels(all, ruleBook.programs);
  const essence = essenceOf({ argv: command.argv, inputs }, program, copies);
  const recreated = all.findLastIndex(({ decision }) => remakesInputs(ruleBook.programs[decision.program]));
  const earlier = all
    .slice(recreated + 1)
    .find(({ decision }) => decision.program === program.name && essenceOf(decision, program, copies) === essence);
  if (earlier === undefined) return undefined;
  return {
    why: `it would do again what it did in cycle ${earlier.cycle}, with the same model and parameters`,
    exhausted: true,
  };
};

/**
 * Why the command may not run: a file that is not the session's, an argument that the program does not have, a free set other than the locked
 * one, or the same command as in an earlier cycle.
 */
export const commandRejectionOf = (
  command: BuiltCommand,
  program: ProgramKnowledge,
  described: DescribedSession,
  context: Context,
): CommandRejection | undefined => {
  const known = new Set(described.files.all.map(({ path }) => path));
  const foreign = command.inputs.find(({ file }) => !known.has(file.path));
  const problem =
    foreign === undefined
      ? (foreignFreeSet(command, described) ?? problemWithCommand(command.argv, program, described.files.all))
      : `its input "${foreign.slot.slot}" is not a file of this session`;
  return problem === undefined
    ? (repeated(command, program, described, context.session) ?? refinedAlready(command, program, described, context))
    : { why: problem, exhausted: false };
};
