import {
  directivesInForce,
  metricValue,
  type GuidedSession,
  type Session,
  type SessionFile,
} from '@fleet/contracts/sessions';
import type { ProgramKnowledge, RuleBook } from '@fleet/knowledge-model';
import { categorise, type CategorisedFiles } from '../categorise';
import { isSameContent } from '../content-digests';
import { isObservation } from '../descendants';
import { baseName, matchesByName, namedBy, stemOf } from '../name-glob';
import { sequenceContent } from '../sequence-content';
import { sessionFiles, succeededCycles } from '../session-files';
import { holdsComponent, searchComponents, type SearchComponent } from './search-components';
import { placementTrials, trialOfSubmitted, type PlacementTrial } from './placement-trials';
import { partWords, searchReport, trialWords, wayWords } from './search-words';
import { firstGroups, firstModels, remainingWays, type NextSearch, type SearchMaterial } from './search-ways';
import { groupAlternatives } from './space-groups';

type PlannedSession = GuidedSession & Pick<Session, 'cycles'>;
type PlanBook = Pick<RuleBook, 'placementEvidence' | 'errors' | 'fileCategories' | 'programs'>;

/** Available programs; absent if only the result is needed. */
export interface SearchMeans {
  readonly canSearch: boolean;
  readonly canRebuild: boolean;
}

/** The results of a session's searches, and the next one. */
export interface SearchPlan {
  readonly trials: readonly PlacementTrial[];
  /** The placement that the session uses. */
  readonly standing: PlacementTrial | undefined;
  /** The next search; undefined if a placement is accepted or no strategy is left. */
  readonly next: NextSearch | undefined;
  /** The last search in words, with its outcome. */
  readonly last: string | undefined;
  /** The next search in words, if it is not the first. */
  readonly way: string | undefined;
  readonly components: number;
  /** Predictions of several components that must be processed first. */
  readonly unprocessed: readonly SessionFile[];
  readonly otherHand: boolean;
  /** Names of the components that are missing from the current placement. */
  readonly unplaced: readonly string[];
  /** Placed and missing components, if one is missing. */
  readonly inPart: string | undefined;
  readonly report: string | undefined;
  /** Cycles that made or used a rejected placement: they are ignored. */
  readonly setAside: ReadonlySet<number>;
  readonly isSetAside: (file: SessionFile) => boolean;
}

const without = (files: readonly SessionFile[], byCategory: CategorisedFiles, names: readonly string[]) => {
  const excluded = new Set(names.flatMap((name) => byCategory.get(name) ?? []));
  return files.filter((file) => !excluded.has(file));
};

/** Submitted models, and processed predictions instead of the raw ones. */
const candidatesOf = (session: PlannedSession, book: PlanBook) => {
  const { request, cycles } = session;
  const { exclude = [], model } = directivesInForce(session).file_preferences ?? {};
  const { candidates: rules, programs } = book.placementEvidence;
  const processed = succeededCycles({ cycles })
    .filter(({ decision }) => decision.program === programs.trim)
    .flatMap(({ result }) => result.outputs);
  const isExcluded = namedBy(exclude);
  const files = [...request.inputs, ...processed].filter(({ path }) => !isExcluded(path));
  const byCategory = categorise(files, book.fileCategories);
  const named = [...new Set(rules.categories.flatMap((name) => byCategory.get(name) ?? []))];
  const candidates = without(named, byCategory, rules.exclude);
  const preferred = candidates.filter(({ path }) => model !== undefined && matchesByName(path, model));
  const ordered = [...preferred, ...candidates.filter((file) => !preferred.includes(file))];
  // A copy of a model gives no other result.
  return {
    byCategory,
    candidates: ordered.filter((file, at) => !ordered.slice(0, at).some((one) => isSameContent(one, file))),
  };
};

/** Removes raw predictions of a component that has a processed one. */
const withoutRaw = ({ models }: SearchComponent, byCategory: CategorisedFiles): SearchComponent => {
  const processed = byCategory.get('processed_predicted') ?? [];
  return models.some((file) => processed.includes(file))
    ? { models: without(models, byCategory, ['predicted']) }
    : { models };
};

/** Components, if there are several, with only a raw prediction. */
const rawOnes = (components: readonly SearchComponent[], byCategory: CategorisedFiles): readonly SessionFile[] => {
  const raw = byCategory.get('predicted') ?? [];
  const isRaw = (file: SessionFile | undefined): file is SessionFile => file !== undefined && raw.includes(file);
  return components.length < 2 || !byCategory.has('data_mtz')
    ? []
    : components
        .filter(({ models }) => models.every(isRaw))
        .map(({ models }) => models[0])
        .filter(isRaw);
};

/** Residues of the asymmetric unit: the sequence times its copies, otherwise from the Matthews coefficient. */
const contentsOf = (session: PlannedSession, residues: number | undefined, analysis: string): number | undefined => {
  const result = succeededCycles(session).findLast(({ decision }) => decision.program === analysis)?.result;
  const copies = metricValue(result, 'n_copies');
  return copies !== undefined && residues !== undefined ? copies * residues : metricValue(result, 'n_residues');
};

/** Whether the submitter has set one of these keys of the search, by its name or an alias. */
const isFixed = (session: PlannedSession, search: ProgramKnowledge | undefined, keys: readonly string[]): boolean => {
  const settings = directivesInForce(session).program_settings;
  const given = { ...settings?.['default'], ...settings?.[search?.name ?? ''] };
  const own = search?.strategy.filter(({ key }) => keys.includes(key)) ?? [];
  return own.some(({ key, aliases = [] }) => [key, ...aliases].some((name) => given[name] !== undefined));
};

const materialOf = (session: PlannedSession, book: PlanBook): SearchMaterial => {
  const { programs, copies, keys } = book.placementEvidence;
  const search = book.programs[programs.search];
  const { byCategory, candidates } = candidatesOf(session, book);
  const sequences = byCategory.get('sequence') ?? [];
  const crystal = sequences.flatMap(({ facts }) => facts.sequence?.sequences ?? []);
  const residues = sequenceContent(sequences).facts?.residues;
  const contents = contentsOf(session, residues, programs.analysis);
  const data = byCategory.get('original_data_mtz')?.[0] ?? byCategory.get('data_mtz')?.[0];
  const most = contents === undefined ? undefined : copies.most * contents;
  const stems = new Set(sequences.map(({ path }) => stemOf(path).toLowerCase()));
  const parts = searchComponents(candidates, { chains: crystal, stems }, most);
  const components = parts.map((part) => withoutRaw(part, byCategory));
  return {
    candidates: components.flatMap(({ models }) => models),
    crystal: { chains: crystal, stems },
    components,
    unprocessed: rawOnes(components, byCategory),
    alternatives: groupAlternatives(data?.facts.spaceGroup, book.placementEvidence),
    ...(contents === undefined ? {} : { contents }),
    fixed: {
      copies: isFixed(session, search, keys.copies),
      groups: isFixed(session, search, [...keys.groups, ...keys.space_group]),
    },
  };
};

/** The components of a search that are missing from its model. */
const unplacedIn = ({ models, cycle }: PlacementTrial, session: PlannedSession): readonly string[] => {
  if (models.length < 2) return [];
  const record = session.cycles.find((one) => one.cycle === cycle);
  const placed = record?.result?.outputs.find(({ facts }) => (facts.model?.polymerResidues ?? 0) > 0);
  const named = record?.result?.metrics
    .filter(({ name }) => name === 'component_not_found')
    .map(({ value }) => baseName(String(value)));
  const files = sessionFiles(session).filter(({ path }) => models.includes(path));
  return files
    .filter((file) => {
      const held = placed === undefined ? undefined : holdsComponent(placed, file);
      return held === undefined ? named?.includes(baseName(file.path)) === true : !held;
    })
    .map(({ path }) => baseName(path));
};

interface Judged {
  readonly trial: PlacementTrial;
  readonly unplaced: readonly string[];
}

/** Placed and missing components in words; undefined if all are placed. */
const inPartOf = (stands: Judged | undefined, session: PlannedSession): string | undefined => {
  if (stands === undefined || stands.unplaced.length === 0) return undefined;
  const { models, tfz } = stands.trial;
  const files = sessionFiles(session).filter(({ path }) => models.includes(path));
  const residues = new Map(files.map(({ path, facts }) => [path, facts.model?.polymerResidues ?? 0]));
  return partWords(residues, stands.unplaced, tfz);
};

/** A search with other models of the missing components; the others are kept. */
const completing = (ways: readonly NextSearch[], unplaced: readonly string[]): readonly NextSearch[] =>
  ways.filter(
    ({ models, groups }) =>
      groups !== 'all' && models !== undefined && !models.some(({ path }) => unplaced.includes(baseName(path))),
  );

const worstRFree = 1;

/** The best accepted placement: the best refined one, otherwise the last. */
const goodOne = (judged: readonly Judged[]): Judged | undefined => {
  const good = judged.filter(({ trial }) => trial.verdict === 'found' || trial.verdict === 'open');
  const fewest = Math.min(...good.map(({ unplaced }) => unplaced.length));
  const complete = good.filter(({ unplaced }) => unplaced.length === fewest);
  const refined = complete.filter(({ trial }) => trial.rFree !== undefined);
  const byRFree = refined.toSorted((one, other) => (one.trial.rFree ?? worstRFree) - (other.trial.rFree ?? worstRFree));
  return byRFree[0] ?? complete.at(-1);
};

/** If no search is left: the best refined placement, otherwise the best of the unlikely ones, so that a refinement judges it. */
const lastResort = (judged: readonly Judged[]): Judged | undefined => {
  const refined = judged
    .filter(({ trial }) => trial.rFree !== undefined)
    .toSorted((one, other) => (one.trial.rFree ?? worstRFree) - (other.trial.rFree ?? worstRFree));
  const unlikely = judged
    .filter(({ trial }) => trial.verdict === 'unlikely')
    .toSorted((one, other) => (other.trial.tfz ?? 0) - (one.trial.tfz ?? 0));
  return refined[0] ?? unlikely[0];
};

const choose = (
  judged: readonly Judged[],
  ways: readonly NextSearch[],
): { readonly stands?: Judged; readonly next?: NextSearch } => {
  const good = goodOne(judged);
  const [next] = good === undefined ? ways : good.unplaced.length === 0 ? [] : completing(ways, good.unplaced);
  if (next !== undefined) return { next };
  const stands = good ?? lastResort(judged);
  return stands === undefined ? {} : { stands };
};

const nextWords = ({ models = [], copies = 1, groups }: NextSearch): string =>
  wayWords({ models: models.map(({ path }) => path), copies, groups });

/** The searches, and the outcome of the submitted model at its position. */
const trialsOf = (session: PlannedSession, book: PlanBook, { canRebuild }: SearchMeans) => {
  const rules = book.placementEvidence;
  const trialBook = { rules, errors: book.errors, search: book.programs[rules.programs.search], canRebuild };
  return { searches: placementTrials(session, trialBook), submitted: trialOfSubmitted(session, trialBook) };
};

const judge = (trials: readonly PlacementTrial[], session: PlannedSession): readonly Judged[] =>
  trials.filter(({ placed }) => placed).map((trial) => ({ trial, unplaced: unplacedIn(trial, session) }));

const firstSearch = (material: SearchMaterial): NextSearch => {
  const models = firstModels(material);
  return { groups: firstGroups(material), ...(models !== undefined && { models }) };
};

interface Chosen {
  readonly trials: readonly PlacementTrial[];
  readonly stands: Judged | undefined;
  readonly next: NextSearch | undefined;
  readonly first: NextSearch;
}

const planFields = ({
  trials,
  stands,
  next,
  first,
}: Chosen): Omit<SearchPlan, 'trials' | 'otherHand' | 'unprocessed' | 'inPart'> => {
  const planned = trials.length === 0 ? first : next;
  const lost = trials.filter((trial) => trial !== stands?.trial);
  const setAside = new Set(lost.flatMap(({ own }) => [...own]));
  return {
    standing: stands?.trial,
    unplaced: stands?.unplaced ?? [],
    next: planned,
    way: next && nextWords(next),
    last: trials.map(trialWords).at(-1),
    components: planned?.models?.length ?? 1,
    report: searchReport(trials, stands?.trial),
    setAside,
    isSetAside: (file) => setAside.has(file.cycle) && !isObservation(file),
  };
};

/**
 * Judges every placement by molecular replacement (knowledge/metrics.yaml, `placement_evidence`), and returns the accepted one or the next
 * search. Each strategy is tried once.
 */
export const searchPlan = (session: PlannedSession, book: PlanBook, means: SearchMeans): SearchPlan => {
  const rules = book.placementEvidence;
  const material = materialOf(session, book);
  const { searches, submitted } = trialsOf(session, book, means);
  const trials = [...(submitted?.verdict === 'refuted' ? [submitted] : []), ...searches];
  const first = firstSearch(material);
  const left = searches.length === 0 ? [first] : remainingWays(searches, material, rules);
  const { stands, next } = choose(judge(trials, session), means.canSearch && trials.length > 0 ? left : []);
  const { alternatives, unprocessed } = material;
  const inPart = inPartOf(stands, session);
  return {
    ...planFields({ trials, stands, next, first }),
    trials,
    unprocessed,
    inPart,
    otherHand: alternatives.hand !== undefined,
  };
};
