import type { BuiltCommand } from '@fleet/commands';
import { scientificCycles, type DescribedSession } from '@fleet/workflow';
import type { Session } from '@fleet/contracts';

const sameArguments = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((token, index) => token === other[index]);

/** Why a command may not run: a file that is not the session's, or the same command as an earlier cycle. */
export const objectionTo = (
  command: BuiltCommand,
  described: DescribedSession,
  session: Session,
): string | undefined => {
  const known = new Set(described.files.all.map(({ path }) => path));
  const foreign = command.inputs.find(({ file }) => !known.has(file.path));
  if (foreign !== undefined) return `its input "${foreign.slot.slot}" is not a file of this session`;
  const earlier = scientificCycles(session).find(({ decision }) => sameArguments(decision.argv, command.argv));
  return earlier === undefined ? undefined : `the same command ran in cycle ${earlier.cycle}`;
};
