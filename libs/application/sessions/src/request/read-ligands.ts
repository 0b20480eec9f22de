import { ligandProblems, withIds, type SessionRequest } from '@fleet/contracts/sessions';
import type { ProblemList } from '@fleet/problems';

/**
 * Ligands of the right shape as the record has them, each SMILES with its id. Whatever is wrong goes to `problems`: the result is then to be
 * thrown away.
 */
export const readLigands = (
  given: SessionRequest['ligands'],
  problems: ProblemList,
): Pick<SessionRequest, 'ligands'> => {
  if (given === undefined || given.length === 0) return {};
  for (const { field, reason, allowed } of ligandProblems(given)) problems.add('field.value', field, reason, allowed);
  return { ligands: withIds(given) };
};
