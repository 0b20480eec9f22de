import { metricValue, type Session, type SessionLigand } from '@fleet/contracts/sessions';
import { fittedComponent, ligandEvidence, sessionFiles, succeededCycles, type LigandTrial } from '@fleet/files';
import { knownErrorIn, type RuleBook } from '@fleet/knowledge-model';

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

type FittedSession = Pick<Session, 'request' | 'cycles'>;

/** The ligand for which the last fit found no density; undefined if it found some, or failed for another reason. */
const withoutDensity = (session: FittedSession, { ligandEvidence: rules, errors }: RuleBook) => {
  const last = session.cycles.findLast(({ decision }) => decision.program === rules.programs.fit);
  if (last?.result?.outcome !== 'failed') return undefined;
  const { errorLines, summary } = last.result;
  if (knownErrorIn([...errorLines, summary], rules.programs.fit, errors)?.id !== rules.no_density) return undefined;
  const code = fittedComponent(last, new Map(sessionFiles(session).map((file) => [file.path, file])));
  return { inModel: false, ...(code !== undefined && { code }) };
};

/**
 * Evidence for the ligand of a session: the metrics for a list of hits. Of several fits the best in the model; if there is none, the best;
 * without metrics if there is no density for the ligand. Undefined before the first fit.
 */
export const ligandOf = (session: FittedSession, ruleBook: RuleBook): SessionLigand | undefined => {
  const results: Results = new Map(succeededCycles(session).map(({ cycle, result }) => [cycle, result]));
  const { trials } = ligandEvidence(session, ruleBook.ligandEvidence);
  return trials.map((trial) => measured(trial, results)).sort(better)[0] ?? withoutDensity(session, ruleBook);
};
