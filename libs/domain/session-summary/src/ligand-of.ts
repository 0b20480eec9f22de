import { metricValue, type Session, type SessionLigand } from '@fleet/contracts/sessions';
import { ligandEvidence, succeededCycles, type LigandTrial } from '@fleet/files';
import type { RuleBook } from '@fleet/knowledge-model';

type Results = ReadonlyMap<number, ReturnType<typeof succeededCycles>[number]['result']>;

const measured = ({ code, fit, merge, omit, against }: LigandTrial, results: Results): SessionLigand => {
  const ofFit = (name: string): number | undefined => metricValue(results.get(fit), name);
  const [cc, atoms, atomsInDensity] = [ofFit('ligand_cc'), ofFit('ligand_atoms'), ofFit('atoms_in_density')];
  const omitCc = omit === undefined ? undefined : metricValue(results.get(omit), 'cc_1_3');
  return {
    inModel: merge !== undefined && against === undefined,
    ...(code !== undefined && { code }),
    ...(cc !== undefined && { cc }),
    ...(atoms !== undefined && { atoms }),
    ...(atomsInDensity !== undefined && { atomsInDensity }),
    ...(omitCc !== undefined && { omitCc }),
  };
};

const better = (one: SessionLigand, other: SessionLigand): number =>
  Number(other.inModel) - Number(one.inModel) || (other.cc ?? -1) - (one.cc ?? -1);

/**
 * Evidence for the ligand of a session: the metrics for a list of hits. Of several fits the best in the model; if there is none, the best.
 * Undefined without a fitted ligand.
 */
export const ligandOf = (
  session: Pick<Session, 'request' | 'cycles'>,
  ruleBook: RuleBook,
): SessionLigand | undefined => {
  const results: Results = new Map(succeededCycles(session).map(({ cycle, result }) => [cycle, result]));
  const { trials } = ligandEvidence(session, ruleBook.ligandEvidence);
  return trials.map((trial) => measured(trial, results)).sort(better)[0];
};
