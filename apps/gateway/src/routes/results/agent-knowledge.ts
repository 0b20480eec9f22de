import type { BestFile } from '@fleet/api-views';
import type { AssessmentPart, LogSummaryPart } from '@fleet/contracts/results';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import type { MetricDefinitions } from '@fleet/session-report';
import type { SessionKnowledge } from '@fleet/sessions';

export const AGENT_KNOWLEDGE = Symbol('AgentKnowledge');

/** What the gateway asks of the knowledge base. */
export interface AgentKnowledge extends SessionKnowledge {
  /** How each metric is named, printed and judged. */
  readonly metrics: MetricDefinitions;
  bestFiles(session: Session): readonly BestFile[];
  /** The cycles that speak of what is delivered: of the best model, where a program has made one; never of a ligand without evidence. */
  cyclesOfBest(session: Session): readonly CycleRecord[];
  /** The five parts of an assessment, as the rules write them. */
  assessment(session: Session): readonly AssessmentPart[];
  /** What the log of a cycle says, as its analysis has read it. */
  logSummary(record: CycleRecord): readonly LogSummaryPart[];
}
