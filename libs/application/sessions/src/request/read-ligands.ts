import { ligandProblems, withIds, type SessionRequest } from '@fleet/contracts/sessions';
import type { ProblemList } from '@fleet/problems';

/** Ligands in the form of the record, each SMILES with its id. Problems are added to `problems`; the result is then invalid. */
export const readLigands = (
  given: SessionRequest['ligands'],
  problems: ProblemList,
): Pick<SessionRequest, 'ligands'> => {
  if (given === undefined || given.length === 0) return {};
  for (const { field, reason, allowed } of ligandProblems(given)) problems.add('field.value', field, reason, allowed);
  return { ligands: withIds(given) };
};
