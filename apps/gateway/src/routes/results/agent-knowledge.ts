import type { BestFile } from '@fleet/api-views';
import type { AssessmentPart, LogSummaryPart } from '@fleet/contracts/results';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import type { MetricDefinitions } from '@fleet/session-report';
import type { SessionKnowledge } from '@fleet/sessions';

export const AGENT_KNOWLEDGE = Symbol('AgentKnowledge');

/** The parts of the knowledge base that the gateway needs. */
export interface AgentKnowledge extends SessionKnowledge {
  /** Names, formats and ratings of metrics. */
  readonly metrics: MetricDefinitions;
  bestFiles(session: Session): readonly BestFile[];
  /**
   * The cycles that concern the result: of the best model, if a program has built one; never of a ligand without
   * evidence.
   */
  cyclesOfBest(session: Session): readonly CycleRecord[];
  /** The five parts of an assessment, written by the rules. */
  assessment(session: Session): readonly AssessmentPart[];
  /** The summary of a cycle's log, from its analysis. */
  logSummary(record: CycleRecord): readonly LogSummaryPart[];
}
