import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { SessionSteering } from '@fleet/contracts/sessions';
import type { Facts, ProgramGroup, ProgramKnowledge, RuleBook, WorkflowStep } from '@fleet/knowledge-model';
import type { DescribedSession } from '@fleet/workflow';
import { aProgram } from './a-program';
import { factsBench, type FactsBench } from './facts-bench';
import { dataFile, modelFile } from './session-walk';

type ProgramState = NonNullable<ReturnType<DescribedSession['programs']['get']>>;

const always = { fact: 'experiment', known: true } as const;
const offer = (name: string, more: Partial<WorkflowStep['programs'][number]> = {}) => ({
  program: `phenix.${name}`,
  why: `${name} is next`,
  ...more,
});

const groups: Readonly<Record<string, ProgramGroup>> = {
  look: 'analysis',
  place: 'placement',
  build: 'building',
  refine: 'refinement',
  fit: 'ligand',
  check: 'validation',
};
const programOf = (short: string, group: ProgramGroup): ProgramKnowledge =>
  aProgram({
    name: `phenix.${short}`,
    group,
    requirements: [{ when: { not: { fact: `lacks.${short}`, is: true } }, why: 'it lacks data' }],
  });
const inTheMap = aProgram({ name: 'phenix.dock', experiments: ['cryoem'] });
const once: ProgramKnowledge = aProgram({
  name: 'phenix.once',
  group: 'analysis',
  done: { flag: 'once_done', strategy: 'run_once' },
});

const steps: Readonly<Record<string, WorkflowStep>> = {
  analyse: { state: 'initial', programs: [offer('look'), offer('once')] },
  place: { state: 'analysed', unplaced: true, programs: [offer('place')] },
  refine: {
    state: 'refined',
    programs: [
      offer('refine', { when: { fact: 'worse', is: true }, why: 'worse by {loss:2}', otherwise: 'it is not worse' }),
      offer('build', { when: { fact: 'poor', is: true } }),
      offer('refine', { why: 'refine again' }),
    ],
  },
  combine: { state: 'combined', closed: true, programs: [offer('fit')] },
  validate: { state: 'refined', programs: [offer('check')], when_empty: 'finish' },
  finish: {
    state: 'finished',
    programs: [offer('look', { when: { fact: 'last_look', is: true }, otherwise: 'seen' })],
    blocked: { reason: 'no_program', detail: 'blocked at {loss:1}' },
  },
  complete: { state: 'complete', programs: [] },
};

const stateOf = (changes: Partial<ProgramState> = {}): ProgramState => ({
  runs: 0,
  fails: 0,
  ranAt: [],
  last: 0,
  lastTried: 0,
  failedSinceSuccess: 0,
  ...changes,
});

/** Position and input of a session in the small workflow. */
export interface Given {
  readonly step?: string;
  readonly facts?: Facts;
  readonly states?: Readonly<Record<string, Partial<ProgramState>>>;
  readonly directives?: SessionDirectives;
  readonly steering?: SessionSteering;
}

/** The project's knowledge with the programs of the small workflow instead of its own. */
const bookOf = (own: RuleBook): RuleBook => ({
  ...own,
  programs: Object.fromEntries(
    [...Object.entries(groups).map(([short, group]) => programOf(short, group)), inTheMap, once].map((one) => [
      one.name,
      one,
    ]),
  ),
});

/** A session in a step of the small workflow. */
const describedIn = (
  bench: FactsBench,
  { step = 'refine', facts = {}, states = {}, directives = {}, steering = {} }: Given,
): DescribedSession => {
  const described = bench.describe([dataFile(), modelFile()]);
  const workflow = {
    ...described.workflow,
    steps,
    stops: [],
    detection: [{ id: `to_${step}`, when: always, step, why: `at {loss:1}` }],
  };
  const programs = new Map(
    Object.keys(bookOf(bench.ruleBook).programs).map((name) => [name, stateOf(states[name.replace('phenix.', '')])]),
  );
  const sheet = { experiment: 'xray', loss: 0.25, ...facts } as DescribedSession['facts'];
  const changedAfter = steering.adviceChangedAfter ?? 0;
  const requested = { changedAfter, countedAfter: () => changedAfter, left: [] };
  return { ...described, workflow, facts: sheet, programs, directives, steering, requested };
};

/**
 * A workflow of seven steps and eight programs, small enough to check a menu by eye; a fact `lacks.NAME` excludes a
 * program.
 */
export interface SmallWorkflow {
  readonly ruleBook: () => RuleBook;
  readonly sessionOf: (given: Given) => DescribedSession;
}

/** Opened before the first test of the file, like `factsBench`. */
export const smallWorkflow = (): SmallWorkflow => {
  const bench = factsBench();
  return { ruleBook: () => bookOf(bench.ruleBook), sessionOf: (given) => describedIn(bench, given) };
};
