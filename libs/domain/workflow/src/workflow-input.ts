import type { FilePreferences } from '@fleet/contracts/guidance';
import type { ProgramCatalogue } from '@fleet/contracts/service';
import {
  steeringInForce,
  type CycleRecord,
  type ExperimentType,
  type GuidedSession,
  type Session,
  type SessionSteering,
} from '@fleet/contracts/sessions';
import type { SessionFile } from '@fleet/contracts/sessions';
import type { CategorisedFiles, ScoredFile } from '@fleet/files';
import type { FactSheet, RuleBook, WorkflowKnowledge } from '@fleet/knowledge-model';

/** All that a decision, or a judgement whether to stop, is made from. */
export interface WorkflowInput {
  readonly session: GuidedSession & Pick<Session, 'cycles'>;
  readonly ruleBook: RuleBook;
  /** What the backend that will run the program has. */
  readonly catalogue: ProgramCatalogue;
  /** Paths of the session's files that are gone from the disk, where somebody has looked. */
  readonly missing?: ReadonlySet<string>;
  /** Programs that this decision has found unable to run in another way than the one that failed, with the reason. */
  readonly exhausted?: ReadonlyMap<string, string>;
  /** Programs that a condition of the submitter holds back, with the reason. */
  readonly held?: ReadonlyMap<string, string>;
}

/** What the session received from outside. */
export const steeringOf = ({ session }: Pick<WorkflowInput, 'session'>): SessionSteering => steeringInForce(session);

/** The files of a session as the agent sees them. */
export interface FilesView {
  /** Submitted files and outputs of successful cycles, oldest first. */
  readonly all: readonly SessionFile[];
  readonly byCategory: CategorisedFiles;
  readonly best: ReadonlyMap<string, ScoredFile>;
  /** All files of each category that has a scoring, the one with the highest score first. */
  readonly ranked: ReadonlyMap<string, readonly ScoredFile[]>;
  readonly lockedFreeFlags?: SessionFile;
  /** The reflection data that the record has locked, where they are gone. */
  readonly lostFreeFlags?: SessionFile;
  /** Which submitted file is meant where several would do. */
  readonly preferences?: FilePreferences;
  /** What the plan of the search names: its models, where it is not the first with one model, and predictions that it waits for. */
  readonly planned?: { readonly searched?: readonly SessionFile[]; readonly unprocessed?: readonly SessionFile[] };
  /** Best files as their keeper has judged them, by category. */
  readonly stated?: ReadonlyMap<string, readonly SessionFile[]>;
}

/** A session put into the words of the rules. */
export interface SessionDescription {
  readonly experiment: ExperimentType;
  readonly workflow: WorkflowKnowledge;
  readonly files: FilesView;
  /** Base facts and the workflow's definitions. */
  readonly facts: Readonly<FactSheet>;
}

export type AnalysedCycle = CycleRecord & { readonly result: NonNullable<CycleRecord['result']> };

/** The machine failed, not the science: such a cycle says nothing about the program or the data. */
const endedByInfrastructure = (cycle: AnalysedCycle): boolean =>
  cycle.result.outcome === 'failed' && cycle.attempts.at(-1)?.ending?.infrastructure === true;

/** Cycles that tell something about the science, oldest first. */
export const scientificCycles = (session: Pick<Session, 'cycles'>): readonly AnalysedCycle[] =>
  session.cycles
    .filter((cycle): cycle is AnalysedCycle => cycle.result !== undefined)
    .filter((cycle) => !endedByInfrastructure(cycle));

export const succeeded = (cycle: AnalysedCycle): boolean => cycle.result.outcome === 'success';
