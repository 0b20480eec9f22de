import type { BuiltCommand } from '@fleet/commands';
import { scientificCycles, type DescribedSession } from '@fleet/workflow';
import type { Session } from '@fleet/contracts';

const sameArguments = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((token, index) => token === other[index]);

/** Another free set than the one the session has locked makes R-free worthless for ever. */
const foreignFreeSet = (command: BuiltCommand, { files }: DescribedSession): string | undefined => {
  const data = command.inputs.find(({ slot }) => slot.free_flags === 'locked');
  if (files.lockedFreeFlags === undefined || data === undefined) return undefined;
  return data.file.path === files.lockedFreeFlags.path
    ? undefined
    : `its reflection data are not those whose R-free flags are locked (${files.lockedFreeFlags.path})`;
};

const repeated = (command: BuiltCommand, described: DescribedSession, session: Session): string | undefined => {
  const earlier = scientificCycles(session).find(({ decision }) => sameArguments(decision.argv, command.argv));
  if (earlier === undefined) return undefined;
  // What that run made is gone, so the same command is right.
  const isLost = described.programs.get(earlier.decision.program)?.lostProduct !== undefined;
  return isLost ? undefined : `the same command ran in cycle ${earlier.cycle}`;
};

/**
 * Why a command may not run: a file that is not the session's, another free set than the locked one, or the same command as an
 * earlier cycle.
 */
export const objectionTo = (
  command: BuiltCommand,
  described: DescribedSession,
  session: Session,
): string | undefined => {
  const known = new Set(described.files.all.map(({ path }) => path));
  const foreign = command.inputs.find(({ file }) => !known.has(file.path));
  if (foreign !== undefined) return `its input "${foreign.slot.slot}" is not a file of this session`;
  return foreignFreeSet(command, described) ?? repeated(command, described, session);
};
