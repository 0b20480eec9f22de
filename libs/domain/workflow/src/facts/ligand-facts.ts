import { notLigands, shortName, type SessionFile } from '@fleet/contracts/sessions';
import type { LigandEvidence } from '@fleet/files';
import { metricFact, type FactSheet, type LigandEvidenceRules, type PlacementRules } from '@fleet/knowledge-model';
import { succeeded, type AnalysedCycle, type FilesView } from '../workflow-input';

/** Components that a ligand file defines: as a dictionary or as coordinates. */
export const componentsOf = (file: SessionFile): readonly string[] =>
  (file.facts.restraints?.codes ?? file.facts.model?.ligandCodes ?? []).filter((code) => !notLigands.has(code));

/** Components in a model: bound to it, or part of its chains. */
export const componentsIn = (model: SessionFile | undefined): readonly string[] => [
  ...(model?.facts.model?.ligandCodes ?? []),
  ...(model?.facts.model?.modifiedResidues ?? []),
];

/**
 * `~LU`, as a PDB file shortens a code of more than three letters, where its HETNAM records do not give it in full. Its letters are not those
 * at either end of the code, so that it may be any of the longer ones.
 */
export const isShortened = (code: string): boolean => code.startsWith('~');
const longestOfPdb = 3;

/** Whether a component may be one of those that a model holds under a shortened code. */
const mayBeHeld = (code: string, inModel: ReadonlySet<string>): boolean =>
  code.length > longestOfPdb && [...inModel].some(isShortened);

/** The PDB's code for an unidentified ligand; used for a component without a code. */
export const unknownComponent = 'UNL';

const fittedIn = (cycle: AnalysedCycle, byPath: ReadonlyMap<string, SessionFile>): readonly string[] =>
  cycle.decision.inputs
    .filter(({ slot }) => slot === 'ligand')
    .flatMap(({ path }) => {
      const file = byPath.get(path);
      return file === undefined ? [] : componentsOf(file);
    });

/** Non-polymer components of the best model. */
const addHeldFacts = (sheet: FactSheet, best: SessionFile | undefined): void => {
  const waters = best?.facts.model?.waters;
  sheet.model_waters = Number.isFinite(waters) ? waters : undefined;
  sheet.model_ligands = best?.facts.model?.ligandCodes.length ?? 0;
};

/** Components of dictionaries (without one: of coordinates) that the model lacks, and what the last fit placed. */
export const addLigandFacts = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  files: FilesView,
  { programs }: LigandEvidenceRules,
): void => {
  const byPath = new Map(files.all.map((file) => [file.path, file]));
  const best = files.best.get('model')?.file;
  const inModel = new Set(componentsIn(best));
  const fits = cycles.filter((cycle) => cycle.decision.program === programs.fit && succeeded(cycle));
  const fitted = new Set(fits.flatMap((cycle) => fittedIn(cycle, byPath)));
  const dictionaries = (files.byCategory.get('ligand_cif') ?? []).toReversed();
  const isMissing = (code: string): boolean =>
    !inModel.has(code) && !fitted.has(code) && !isShortened(code) && !mayBeHeld(code, inModel);
  const missing = dictionaries.flatMap(componentsOf).filter(isMissing);
  const coordinates = (files.byCategory.get('ligand_pdb') ?? []).flatMap(componentsOf).filter(isMissing);
  const latest = fits.at(-1);
  const latestCodes = latest === undefined ? [] : fittedIn(latest, byPath);
  addHeldFacts(sheet, best);
  sheet.ligand_code = missing[0] ?? coordinates[0];
  sheet.ligand_codes_missing = new Set(missing).size;
  const named = latestCodes.filter((code) => code !== unknownComponent);
  sheet.fitted_ligand_code = named.find((code) => inModel.has(code)) ?? named[0];
};

/** The number of fitted copies of a component, and whether all of them are in place and confirmed as far as possible. */
const copyToFit = (trials: LigandEvidence['trials'], maxCopies: number): string | undefined =>
  trials.find(({ code }) => {
    const copies = trials.filter((one) => one.code === code);
    const inPlace = copies.every(({ against, refinement }) => against === undefined && refinement !== undefined);
    return code !== undefined && copies.length < maxCopies && inPlace;
  })?.code;

/** The chain of the last fitted ligand, if the model also has other copies of it. */
const chainOfCopy = ({ trials }: LigandEvidence, files: FilesView): string | undefined => {
  const last = trials.at(-1);
  if (last === undefined || trials.filter(({ code }) => code === last.code).length < 2) return undefined;
  return files.all.find((file) => file.cycle === last.fit && file.facts.model !== undefined)?.facts.model?.chains[0];
};

/** Metrics of the fitted ligands. */
export const addEvidenceFacts = (
  sheet: FactSheet,
  evidence: LigandEvidence,
  files: FilesView,
  { programs }: PlacementRules,
): void => {
  const { trials } = evidence;
  const standing = trials.filter(({ against }) => against === undefined);
  const last = trials.at(-1);
  const copies = sheet[metricFact(programs.analysis, 'n_copies')];
  const again = copyToFit(trials, typeof copies === 'number' ? copies : 1);
  sheet.ligand_copy_missing = again !== undefined;
  sheet.ligand_code ??= again;
  sheet.fitted_ligand_chain = chainOfCopy(evidence, files);
  sheet.ligand_to_merge = last !== undefined && last.against === undefined && last.merge === undefined;
  sheet.ligand_unconfirmed = standing.some(({ merge, omit }) => merge !== undefined && omit === undefined);
  sheet.ligand_report = trials.flatMap(({ sentence }) => sentence ?? []).join(' ') || undefined;
};

/** `set_aside.refine` and its family. */
export const addSetAsideFacts = (
  sheet: FactSheet,
  cycles: readonly AnalysedCycle[],
  setAside: ReadonlySet<number>,
): void => {
  for (const cycle of cycles.filter((one) => setAside.has(one.cycle) && succeeded(one))) {
    const name = `set_aside.${shortName(cycle.decision.program)}` as const;
    sheet[name] = Number(sheet[name] ?? 0) + 1;
  }
};
