import {
  directivesInForce,
  metricValue,
  type CycleRecord,
  type GuidedSession,
  type Session,
} from '@fleet/contracts/sessions';
import {
  fillTemplate,
  holds,
  isSameParameter,
  knownErrorIn,
  type ErrorKnowledge,
  type Facts,
  type PlacementRules,
  type PlacementVerdict,
  type ProgramKnowledge,
} from '@fleet/knowledge-model';
import { descendants } from '../descendants';
import { succeededCycles } from '../session-files';

/** Which space groups a search tries: only that of the data, also its mirror image, or all of its point group and lattice. */
export type GroupChoice = 'data' | 'hand' | 'all';

/** The strategy of a search, as far as its command contains it. */
export interface SearchStrategy {
  /** Paths of the models, in the order of the command; empty if the record does not contain them. */
  readonly models: readonly string[];
  /** Of each model; 1 if the command does not set it. */
  readonly copies: number;
  readonly groups: GroupChoice;
}

/** A search that finished: it placed something, or reports that it found nothing. */
export interface PlacementTrial extends SearchStrategy {
  readonly cycle: number;
  readonly placed: boolean;
  readonly verdict: PlacementVerdict;
  /** The reason of the verdict, a clause. */
  readonly says: string;
  readonly tfz?: number;
  /** Its space group is certain. */
  readonly clear: boolean;
  /** The best value after it. */
  readonly rFree?: number;
  /** Not a search: the submitted model was assumed to be placed and refined. */
  readonly asSubmitted?: true;
  /** The cycles that made it and that worked with it. */
  readonly own: ReadonlySet<number>;
}

type Analysed = CycleRecord & { readonly result: NonNullable<CycleRecord['result']> };

interface TrialBook {
  readonly rules: PlacementRules;
  readonly errors: ErrorKnowledge;
  /** The program that searches. */
  readonly search: ProgramKnowledge | undefined;
  /** Whether a placed model can be rebuilt here. */
  readonly canRebuild: boolean;
}

const modelSlots: ReadonlySet<string> = new Set(['model', 'components']);

/** The last value that a command gives one of these keys of its program, in lower case. */
const givenValue = (
  argv: readonly string[],
  program: ProgramKnowledge | undefined,
  keys: readonly string[],
): string | undefined => {
  const parameters = program?.strategy.filter(({ key }) => keys.includes(key)).map(({ parameter }) => parameter) ?? [];
  const token = argv.findLast((one) => parameters.some((parameter) => isSameParameter(parameter, nameIn(one))));
  return token?.slice(token.indexOf('=') + 1).toLowerCase();
};

const nameIn = (token: string): string => token.slice(0, Math.max(0, token.indexOf('=')));

const wayOf = (
  { decision: { argv, inputs } }: CycleRecord,
  { rules: { keys }, search }: Pick<TrialBook, 'rules' | 'search'>,
): SearchStrategy => {
  const groups = givenValue(argv, search, keys.groups);
  const copies = givenValue(argv, search, keys.copies);
  return {
    models: inputs.filter(({ slot }) => modelSlots.has(slot)).map(({ path }) => path),
    copies: copies !== undefined && /^\d+$/.test(copies) ? Number(copies) : 1,
    groups: groups === 'hand' || groups === 'all' ? groups : 'data',
  };
};

const metricsOf = ({ result }: Analysed): Facts =>
  Object.fromEntries(result.metrics.map(({ name, value }): [string, Facts[string]] => [name, value]));

const bestRFree = (cycles: readonly CycleRecord[], programs: readonly string[]): number | undefined => {
  const values = cycles
    .filter(({ decision }) => programs.includes(decision.program))
    .map(({ result }) => metricValue(result, 'r_free'))
    .filter((value) => value !== undefined);
  return values.length === 0 ? undefined : Math.min(...values);
};

/**
 * @param makers the cycles that made the placement
 * @param found the metrics of the search; absent if there was none
 */
const trialOf = (
  cycle: Analysed,
  makers: ReadonlySet<number>,
  found: Facts,
  session: Pick<Session, 'cycles'>,
  book: TrialBook,
): PlacementTrial => {
  const { programs, verdicts } = book.rules;
  const placed = cycle.result.outcome === 'success';
  const succeeded = succeededCycles(session);
  const own = placed ? descendants(makers, succeeded) : new Set<number>();
  const made = succeeded.filter((one) => own.has(one.cycle));
  const rFree = bestRFree(made, programs.refinement);
  const rebuilt = session.cycles.some((one) => one.cycle > cycle.cycle && one.decision.program === programs.rebuild);
  const facts: Facts = {
    ...(placed ? found : {}),
    r_free: rFree,
    placed,
    rebuild_left: book.canRebuild && !rebuilt,
  };
  const rule = verdicts.find(({ when }) => holds(when, facts));
  const tfz = facts['tfz'];
  return {
    ...wayOf(cycle, book),
    cycle: cycle.cycle,
    placed,
    own,
    clear: holds(book.rules.clear, facts),
    verdict: rule?.verdict ?? 'found',
    says: rule === undefined ? 'it was placed' : fillTemplate(rule.says, facts),
    ...(typeof tfz === 'number' ? { tfz } : {}),
    ...(rFree === undefined ? {} : { rFree }),
  };
};

/** The program succeeded in finding that there is no solution. */
const foundNothing = (
  { decision, result }: Analysed,
  { rules, errors }: Pick<TrialBook, 'rules' | 'errors'>,
): boolean =>
  result.outcome === 'failed' &&
  knownErrorIn([...result.errorLines, result.summary], decision.program, errors)?.id === rules.no_solution;

/** Every finished search of a session, oldest first, each judged by its own metrics and those of the following cycles. */
export const placementTrials = (session: Pick<Session, 'cycles'>, book: TrialBook): readonly PlacementTrial[] =>
  session.cycles
    .filter((cycle): cycle is Analysed => cycle.result !== undefined)
    .filter(({ decision }) => decision.program === book.rules.programs.search)
    .filter((cycle) => cycle.result.outcome === 'success' || foundNothing(cycle, book))
    .map((cycle) => trialOf(cycle, new Set([cycle.cycle]), metricsOf(cycle), session, book));

/**
 * The submitted model at its position, once a refinement has judged it; undefined before that, or if the submitter states that it is placed.
 */
export const trialOfSubmitted = (
  session: GuidedSession & Pick<Session, 'cycles'>,
  book: TrialBook,
): PlacementTrial | undefined => {
  if (directivesInForce(session).workflow_preferences?.model_is_placed === true) return undefined;
  const submitted = new Set(session.request.inputs.map(({ path }) => path));
  const refinements = succeededCycles(session).filter(
    ({ decision }) =>
      book.rules.programs.refinement.includes(decision.program) &&
      decision.inputs.some(({ slot, path }) => modelSlots.has(slot) && submitted.has(path)),
  );
  const [first] = refinements;
  if (first === undefined) return undefined;
  const makers = new Set(refinements.map(({ cycle }) => cycle));
  return { ...trialOf(first, makers, {}, session, book), asSubmitted: true };
};

/** Whether the error of a failed cycle is a finding of the search, not a problem of the program. */
export const isFinding = (cycle: CycleRecord, rules: PlacementRules, errors: ErrorKnowledge): boolean =>
  cycle.result !== undefined &&
  cycle.decision.program === rules.programs.search &&
  foundNothing(cycle as Analysed, { rules, errors });
