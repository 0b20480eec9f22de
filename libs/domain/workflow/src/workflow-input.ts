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

/** Everything that a decision or a stop check depends on. */
export interface WorkflowInput {
  readonly session: GuidedSession & Pick<Session, 'cycles'>;
  readonly ruleBook: RuleBook;
  /** What the backend that will run the program has installed. */
  readonly catalogue: ProgramCatalogue;
  /** Paths of missing session files; absent if the disk was not checked. */
  readonly missing?: ReadonlySet<string>;
  /** Programs for which this decision found no other command than the failed one, with the reason. */
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
  /** The missing file with the locked reflection data. */
  readonly lostFreeFlags?: SessionFile;
  /** Which submitted file to use if several would do. */
  readonly preferences?: FilePreferences;
  /** Files that the search plan selects: its models, unless it is the first search with one model, and predictions that it waits for. */
  readonly planned?: { readonly searched?: readonly SessionFile[]; readonly unprocessed?: readonly SessionFile[] };
  /** Best files as rated by the client, by category. */
  readonly stated?: ReadonlyMap<string, readonly SessionFile[]>;
}

/** A session in the terms of the rules. */
export interface SessionDescription {
  readonly experiment: ExperimentType;
  readonly workflow: WorkflowKnowledge;
  readonly files: FilesView;
  /** Base facts and the workflow's definitions. */
  readonly facts: Readonly<FactSheet>;
}

export type AnalysedCycle = CycleRecord & { readonly result: NonNullable<CycleRecord['result']> };

/** The infrastructure failed: such a cycle says nothing about the program or the data. */
const endedByInfrastructure = (cycle: AnalysedCycle): boolean =>
  cycle.result.outcome === 'failed' && cycle.attempts.at(-1)?.ending?.infrastructure === true;

/** Cycles without infrastructure failures, oldest first. */
export const scientificCycles = (session: Pick<Session, 'cycles'>): readonly AnalysedCycle[] =>
  session.cycles
    .filter((cycle): cycle is AnalysedCycle => cycle.result !== undefined)
    .filter((cycle) => !endedByInfrastructure(cycle));

export const succeeded = (cycle: AnalysedCycle): boolean => cycle.result.outcome === 'success';
