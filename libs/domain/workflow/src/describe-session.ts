import type { FilePreferences, SessionDirectives } from '@fleet/contracts/guidance';
import { directivesInForce, settingsInForce, type SessionFile, type SessionSteering } from '@fleet/contracts/sessions';
import {
  categorise,
  freeSetFor,
  matchesByName,
  judgedCycles,
  ligandEvidence,
  lockedFreeFlagData,
  comparedFreeSets,
  isObservation,
  isSameFreeSet,
  lineageOf,
  namedBy,
  rankFiles,
  sessionFiles,
  submittedModel,
  type LigandEvidence,
  type SearchPlan,
} from '@fleet/files';
import { holds, type FactSheet } from '@fleet/knowledge-model';
import { requestedLeft, requestedSince, type RequestedSince } from './requested-since';
import type { LostProduct } from './done-products';
import { experimentOf } from './experiment-type';
import { heldBack, isSwitchedOff, type HeldBack } from './held-back';
import { addDirectiveFacts, addLimitFacts, effectiveSettings } from './facts/directive-facts';
import { addFailureFacts } from './facts/failure-facts';
import { addFreeSetFacts } from './facts/free-set-facts';
import { addGeometryFacts } from './facts/geometry-facts';
import { addJudgedFacts } from './facts/judged-facts';
import { addEvidenceFacts, addLigandFacts, addSetAsideFacts } from './facts/ligand-facts';
import { addPlacementFacts } from './facts/placement-facts';
import { addMetricFacts, addProgramFacts, programStates, type ProgramStates } from './facts/program-facts';
import { addRefinementFacts, addResultFit, addSubmittedFacts } from './facts/refinement-facts';
import { addRestraintFacts } from './facts/restraint-facts';
import { addSearchFacts, planSearch } from './facts/search-facts';
import {
  addAdviceFact,
  addFileFacts,
  addHistoryFacts,
  addResolution,
  addSettingFacts,
  addTarget,
} from './facts/session-facts';
import { addTrendFacts } from './facts/trend-facts';
import { withoutRepeats } from './same-command';
import { lostRuns } from './lost-runs';
import { statedBest, withStated } from './stated-files';
import {
  scientificCycles,
  steeringOf,
  succeeded,
  type AnalysedCycle,
  type FilesView,
  type SessionDescription,
  type WorkflowInput,
} from './workflow-input';

/** Data files whose free set is the locked one, or may be: two sets count as different only if both are known. */
const standInFor = (lost: SessionFile, all: readonly SessionFile[]): SessionFile | undefined => {
  const data = all.filter((file) => isObservation(file) && file.facts.mtz?.withoutFreeFlag !== true);
  return (
    data.find((file) => isSameFreeSet(file, lost)) ?? data.find((file) => comparedFreeSets(file, lost) === undefined)
  );
};

interface FreeFlagLock {
  readonly lockedFreeFlags?: SessionFile;
  /** The file with the locked free flags, if it is missing. */
  readonly lostFreeFlags?: SessionFile;
}

/** Free flags are locked once a refinement has used them; before that the submitter's data come first. */
const lockOf = (
  { session, ruleBook, missing }: WorkflowInput,
  { data_mtz }: FilePreferences,
  all: readonly SessionFile[],
): FreeFlagLock => {
  const locked = lockedFreeFlagData(session, ruleBook.programs);
  if (locked !== undefined && missing?.has(locked.path) === true)
    return withLock(standInFor(locked, all), { lostFreeFlags: locked });
  if (data_mtz === undefined || (locked?.cycle ?? 0) > 0) return withLock(locked);
  const hasFreeSet = (file: SessionFile): boolean =>
    file.facts.mtz?.freeFlag !== undefined || freeSetFor(file, all) !== undefined;
  return withLock(all.find((file) => matchesByName(file.path, data_mtz) && hasFreeSet(file)) ?? locked);
};

const withLock = (lockedFreeFlags: SessionFile | undefined, more: FreeFlagLock = {}): FreeFlagLock =>
  lockedFreeFlags === undefined ? more : { ...more, lockedFreeFlags };

const viewFiles = (input: WorkflowInput, evidence: LigandEvidence, plan: SearchPlan): FilesView => {
  const { session, ruleBook, missing } = input;
  const preferences = directivesInForce(session).file_preferences ?? {};
  const isExcluded = namedBy(preferences.exclude ?? []);
  const all = sessionFiles(session).filter(
    (file) =>
      missing?.has(file.path) !== true &&
      !isExcluded(file.path) &&
      !evidence.isSetAside(file) &&
      !plan.isSetAside(file),
  );
  const byCategory = categorise(all, ruleBook.fileCategories);
  const stated = statedBest(steeringOf(input).bestFiles ?? {}, all);
  const ranking = { categorised: byCategory, cycles: session.cycles, scoring: ruleBook.bestFiles, rules: ruleBook };
  const { best, ranked } = rankFiles(ranking);
  return {
    all,
    byCategory,
    best: withStated(best, stated),
    ranked,
    stated,
    preferences,
    planned: {
      ...(plan.next?.models !== undefined && { searched: plan.next.models }),
      ...(plan.unprocessed.length > 0 && { unprocessed: plan.unprocessed }),
    },
    ...lockOf(input, preferences, all),
  };
};

export interface DescribedSession extends SessionDescription {
  readonly programs: ProgramStates;
  readonly directives: SessionDirectives;
  readonly steering: SessionSteering;
  readonly requested: RequestedSince;
  readonly held: HeldBack;
  /** Programs that count as not done because their output is missing. */
  readonly lostProducts: readonly LostProduct[];
  /** Cycles that are ignored because every model that they wrote is missing. */
  readonly lostCycles: ReadonlySet<number>;
}

/** The session without the runs that are ignored because their output is missing; `written` still has them. */
const withoutLost = ({ session, ruleBook, missing }: WorkflowInput) => {
  const written = scientificCycles(session);
  const lost = lostRuns(written, { missing, inputs: session.request.inputs, ruleBook });
  const remaining = { ...session, cycles: session.cycles.filter(({ cycle }) => !lost.cycles.has(cycle)) };
  return { written, lost, kept: remaining };
};

/**
 * Describes a session in the terms of the rules: its experiment, files and facts. Only successful cycles count as runs. Cycles that failed
 * because of the infrastructure are ignored.
 * @throws Fault `session.experiment_contradiction` when settings and files contradict each other.
 */
export const describeSession = (given: WorkflowInput): DescribedSession => {
  const { session, ruleBook } = given;
  const { written, lost, kept } = withoutLost(given);
  const everyCycle = scientificCycles(kept);
  const evidence = ligandEvidence(kept, ruleBook.ligandEvidence);
  const plan = planSearch(everyCycle, { ...given, session: kept });
  const files = viewFiles(given, evidence, plan);
  const experiment = experimentOf(session, files.byCategory);
  const directives = directivesInForce(session);
  const held = heldBack(directives, everyCycle, experiment, ruleBook);
  const input = { ...given, held: held.programs };
  const workflow = ruleBook.workflows[experiment];
  const setAside = new Set([...evidence.setAside, ...plan.setAside]);
  const standing = everyCycle.filter(({ cycle }) => !setAside.has(cycle));
  const judged = judgedCycles(standing, files.byCategory, ruleBook.bestFiles);
  const { cycles } = judged;
  const steering = steeringOf(input);
  const since = requestedSince(session, steering);
  const settings = effectiveSettings(settingsInForce(session), directives);
  const programs = programStates(cycles, input, files.all);
  const sheet: FactSheet = { experiment, models_missing: lost.models };
  addSettingFacts(sheet, settings);
  addFileFacts(sheet, files, ruleBook);
  addAdviceFact(sheet, cycles, steering);
  const analysed = session.cycles.filter((cycle): cycle is AnalysedCycle => cycle.result !== undefined);
  addHistoryFacts(sheet, cycles, Math.max(analysed.length, steering.cyclesDone ?? 0));
  addProgramFacts(sheet, programs, input);
  addMetricFacts(sheet, cycles);
  const submitted = submittedModel({ categorised: files.byCategory, cycles, scoring: ruleBook.bestFiles });
  addRefinementFacts(sheet, cycles, workflow, ruleBook.programs, {
    counted: (program) => programs.get(program)?.lostProduct === undefined,
    askedAfter: since.countedAfter('max_refine_cycles'),
    isRefused: (key) => workflow.refinement.some(({ program }) => isSwitchedOff({ program, key }, directives, held)),
    ...(submitted === undefined ? {} : { submitted }),
  });
  addLimitFacts(sheet, directives, analysed, since.countedAfter('after_cycle'));
  addSubmittedFacts(sheet, files, submitted);
  const lineage = lineageOf(files.byCategory.get('model') ?? [], cycles);
  addResultFit(sheet, files, lineage, workflow.trend);
  addJudgedFacts(sheet, judged, files);
  addFreeSetFacts(sheet, cycles, workflow, files.all, ruleBook);
  addTrendFacts(sheet, withoutRepeats(cycles.filter(succeeded), ruleBook.programs), workflow.trend);
  addFailureFacts(sheet, cycles, ruleBook);
  addLigandFacts(sheet, cycles, files, ruleBook.ligandEvidence);
  addEvidenceFacts(sheet, evidence, files, ruleBook.placementEvidence);
  addRestraintFacts(sheet, everyCycle, files, given);
  addSetAsideFacts(sheet, everyCycle, setAside);
  addSearchFacts(sheet, plan);
  addPlacementFacts(sheet, files, plan.next?.copies, ruleBook.placementEvidence);
  addResolution(sheet, settings, files, ruleBook);
  addTarget(sheet, workflow, ruleBook);
  addGeometryFacts(sheet, cycles, files, lineage, ruleBook);
  // A request to stop after a program is fulfilled by its run, whatever the outcome.
  const ran = setAside.size + lost.cycles.size === 0 ? programs : programStates(written, input, files.all);
  addDirectiveFacts(sheet, directives, ran, since.countedAfter('after_program'));
  for (const { fact, when } of workflow.definitions) sheet[fact] = holds(when, sheet);
  const lostProducts = [...lost.products, ...[...programs.values()].flatMap(({ lostProduct }) => lostProduct ?? [])];
  const requested = { ...since, left: requestedLeft(session, steering, programs) };
  const described = { experiment, workflow, files, facts: sheet, programs, directives, steering, held };
  return { ...described, requested, lostProducts, lostCycles: lost.cycles };
};
