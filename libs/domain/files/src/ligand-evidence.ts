import { metricValue, type CycleRecord, type Metric, type Session, type SessionFile } from '@fleet/contracts/sessions';
import { fillTemplate, holds, type Facts, type LigandEvidenceRules } from '@fleet/knowledge-model';
import { descendants, isModel, isObservation } from './descendants';
import { baseName } from './name-glob';
import { sessionFiles, succeededCycles } from './session-files';

type Cycles = ReturnType<typeof succeededCycles>;
type Cycle = Cycles[number];
type KeptSession = Pick<Session, 'request' | 'cycles'>;

/** One fit of a ligand, with the results of later cycles about it. */
export interface LigandTrial {
  /** Its component; absent if unknown. */
  readonly code?: string;
  /** Cycle of the fit. */
  readonly fit: number;
  readonly merge?: number;
  readonly refinement?: number;
  readonly omit?: number;
  /** Evidence against it, in the words of the knowledge; absent without any. */
  readonly against?: string;
  /** One sentence for the user; absent until it is known whether the ligand will be part of the model. */
  readonly sentence?: string;
}

export interface LigandEvidence {
  /** In the order of the fits, without those on a model that is not delivered. */
  readonly trials: readonly LigandTrial[];
  /** Cycles that worked with a model whose ligand has no evidence: they are ignored. */
  readonly setAside: ReadonlySet<number>;
  /** These and the fits without evidence: their metrics are not those of the delivered model. */
  readonly excludedFromResult: ReadonlySet<number>;
  /** Whether a file is not part of the result. */
  readonly isSetAside: (file: SessionFile) => boolean;
}

/** Cycles of a trial: the merge, its refinement and its omit map come after the fit and before the next one. */
const cyclesOf = (fit: Cycle, later: Cycles, { programs }: LigandEvidenceRules) => {
  const next = later.findIndex(({ decision }) => decision.program === programs.fit);
  const own = next < 0 ? later : later.slice(0, next);
  const after = (cycle: Cycle | undefined, names: readonly string[]): Cycle | undefined =>
    cycle && own.find((one) => one.cycle > cycle.cycle && names.includes(one.decision.program));
  const merge = after(fit, [programs.merge]);
  const refinement = after(merge, programs.refinement);
  return { fit, merge, refinement, omit: after(refinement ?? merge, [programs.omit]) };
};

/** The component of a fit that has succeeded or failed; undefined if its files do not name one. */
export const fittedComponent = (
  { decision, result }: Pick<CycleRecord, 'decision' | 'result'>,
  byPath: ReadonlyMap<string, SessionFile>,
): string | undefined => {
  const ligands = decision.inputs.filter(({ slot }) => slot === 'ligand').map(({ path }) => byPath.get(path));
  const codes = [...ligands, ...(result?.outputs ?? [])].flatMap(
    (file) => file?.facts.restraints?.codes ?? file?.facts.model?.ligandCodes ?? [],
  );
  return codes[0];
};

const shareOf = (facts: Facts): number | undefined => {
  const { ligand_atoms: atoms, atoms_in_density: inDensity, atoms_placed: placed } = facts;
  const counts = [inDensity, placed].filter((value) => typeof value === 'number');
  return typeof atoms === 'number' && atoms > 0 && counts.length > 0 ? Math.min(...counts) / atoms : undefined;
};

/** `r_free_before` and `r_free_gain`: the refinement before the merge compared with the one after it; positive is better. */
const gainFacts = (metric: string, sign: 1 | -1, earlier: Cycles, refinement: Cycle): Facts => {
  const before = earlier.map(({ result }) => metricValue(result, metric)).findLast((value) => value !== undefined);
  const now = metricValue(refinement.result, metric);
  return before === undefined || now === undefined
    ? {}
    : { [metric]: now, [`${metric}_before`]: before, [`${metric}_gain`]: sign * (now - before) };
};

const metricFacts = (cycle: Cycle | undefined): Facts =>
  Object.fromEntries((cycle?.result.metrics ?? []).map(({ name, value }): [string, Metric['value']] => [name, value]));

type TrialCycles = ReturnType<typeof cyclesOf>;

const factsOf = (own: TrialCycles, code: string, cycles: Cycles, rules: LigandEvidenceRules): Facts => {
  const facts: Record<string, Facts[string]> = { code, ...metricFacts(own.fit), ...metricFacts(own.omit) };
  facts['ligand_share'] = shareOf(facts);
  facts['merged'] = own.merge !== undefined;
  const { merge, refinement } = own;
  if (merge !== undefined && refinement !== undefined) {
    const earlier = cycles.filter(
      (one) => one.cycle < merge.cycle && rules.programs.refinement.includes(one.decision.program),
    );
    Object.assign(facts, gainFacts('r_free', -1, earlier, refinement), gainFacts('map_cc', 1, earlier, refinement));
  }
  const model = (refinement ?? merge ?? own.fit).result.outputs.find(isModel);
  facts['kept'] = model === undefined ? undefined : `${baseName(model.path)} (cycle ${model.cycle})`;
  return facts;
};

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

const sentenceOf = (
  rules: readonly { readonly when: Parameters<typeof holds>[0]; readonly says: string }[],
  facts: Facts,
) => joined(rules.filter(({ when }) => holds(when, facts)).map(({ says }) => fillTemplate(says, facts)));

/** `NUT`, and `copy 2 of NUT` if it was fitted before. */
const nameOf = (code: string | undefined, earlier: number): string => {
  const name = code ?? 'the ligand';
  return earlier === 0 ? name : `copy ${earlier + 1} of ${name}`;
};

const trialOf = (
  own: TrialCycles,
  name: string,
  cycles: Cycles,
  rules: LigandEvidenceRules,
): Omit<LigandTrial, 'code'> => {
  const facts = factsOf(own, name, cycles, rules);
  const rule = rules.against.find(({ when }) => holds(when, facts));
  const against = rule === undefined ? undefined : fillTemplate(rule.says, facts);
  const all = { ...facts, against, evidence: sentenceOf(rules.in_favour, facts) };
  const sentence = sentenceOf(rules.sentences, { ...all, refuted: against !== undefined });
  const { fit, merge, refinement, omit } = own;
  return {
    fit: fit.cycle,
    ...(merge === undefined ? {} : { merge: merge.cycle }),
    ...(refinement === undefined ? {} : { refinement: refinement.cycle }),
    ...(omit === undefined ? {} : { omit: omit.cycle }),
    ...(against === undefined ? {} : { against }),
    ...(sentence === '' ? {} : { sentence }),
  };
};

const noEvidence: LigandEvidence = {
  trials: [],
  setAside: new Set(),
  excludedFromResult: new Set(),
  isSetAside: () => false,
};

/**
 * Judges every fit of a ligand by its metrics (knowledge/metrics.yaml, `ligand_evidence`). Descendants of a model whose ligand has no
 * evidence are ignored, so that the session continues from the model without it.
 */
export const ligandEvidence = (session: KeptSession, rules: LigandEvidenceRules): LigandEvidence => {
  const cycles = succeededCycles(session);
  const isFit = ({ decision }: Cycle): boolean => decision.program === rules.programs.fit;
  if (!cycles.some(isFit)) return noEvidence;
  const byPath = new Map(sessionFiles(session).map((file) => [file.path, file]));
  const fitted: (string | undefined)[] = [];
  const all = cycles.flatMap((cycle, index): readonly LigandTrial[] => {
    if (!isFit(cycle)) return [];
    const code = fittedComponent(cycle, byPath);
    const name = nameOf(code, fitted.filter((one) => one === code).length);
    fitted.push(code);
    const trial = trialOf(cyclesOf(cycle, cycles.slice(index + 1), rules), name, cycles, rules);
    return [{ ...trial, ...(code === undefined ? {} : { code }) }];
  });
  const refuted = all.filter(({ against }) => against !== undefined);
  const setAside = descendants(new Set(refuted.flatMap(({ merge }) => merge ?? [])), cycles);
  const excludedFromResult = new Set([...setAside, ...refuted.map(({ fit }) => fit)]);
  return {
    trials: all.filter(({ fit }) => !setAside.has(fit)),
    setAside,
    excludedFromResult,
    isSetAside: (file) => excludedFromResult.has(file.cycle) && !isObservation(file),
  };
};
