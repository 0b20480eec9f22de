import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { Session, SessionFile } from '@fleet/contracts/sessions';
import { buildDecisionGraph, type Chooser, type DecisionGraph, type DecisionOutcome } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import { projectRules } from './project-rules';
import { aCatalogue, aFullCatalogue, walkSession, type FakeRuns, type Walk, type WalkOptions } from './session-walk';

/** The project's knowledge and rules, with fake runs from specs. */
export interface WalkBench {
  readonly ruleBook: RuleBook;
  readonly graph: DecisionGraph;
  readonly catalogue: ProgramCatalogue;
  /** Runs of this walk override the default ones of the bench; a given chooser replaces the rules. */
  readonly walk: (
    inputs: readonly SessionFile[],
    runs?: FakeRuns,
    options?: WalkOptions & { readonly choose?: Chooser },
  ) => Promise<Walk>;
  /** One decision, by the rules or by a chooser. */
  readonly decide: (session: Session, choose?: Chooser) => Promise<DecisionOutcome>;
}

/**
 * A bench for the whole spec file.
 * @param usual default results of programs, and the installed programs: all of them or the open ones
 */
export const walkBench = (usual: { readonly runs?: FakeRuns; readonly installed: 'open' | 'all' }): WalkBench => {
  const ruleBook = projectRules();
  const graph = buildDecisionGraph({ ruleBook });
  const catalogue = usual.installed === 'all' ? aFullCatalogue(ruleBook) : aCatalogue();
  const graphOf = (choose: Chooser | undefined): DecisionGraph =>
    choose === undefined ? graph : buildDecisionGraph({ ruleBook, choose });
  return {
    ruleBook,
    graph,
    catalogue,
    walk: (inputs, runs = {}, { choose, ...options } = {}) =>
      walkSession({
        ruleBook,
        graph: graphOf(choose),
        catalogue,
        ...options,
        inputs,
        runs: { ...usual.runs, ...runs },
      }),
    decide: (session, choose) => graphOf(choose).decide({ session, catalogue, now: '2026-11-21T08:00:00.000Z' }),
  };
};

/** Programs of a walk and the reason of its stop. */
export const words = ({ programs, stop }: Walk): string => `${programs.join(' ')} ${stop.reason}`;

/** The external state of each cycle. */
export const states = ({ session }: Walk): string =>
  session.cycles.map(({ decision }) => decision.workflowState).join(' ');

/**
 * Command of a program in a walk, by its name without `phenix.` and the number of its run from 0; empty if it did not
 * run.
 */
export const argvOf = ({ session }: Walk, program: string, run = 0): readonly string[] =>
  session.cycles.filter(({ decision }) => decision.program === `phenix.${program}`)[run]?.decision.argv ?? [];
