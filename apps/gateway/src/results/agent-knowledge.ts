import type { BestFile } from '@fleet/api-views';
import type {
  AdviceReading,
  AssessmentPart,
  CycleRecord,
  ExperimentType,
  FieldProblem,
  FileUse,
  LogSummaryPart,
  ProgramSettings,
  Session,
  SessionFile,
  SubmissionReading,
} from '@fleet/contracts';
import type { MetricDefinitions } from '@fleet/session-report';

export const AGENT_KNOWLEDGE = Symbol('AgentKnowledge');

/** What the gateway asks of the knowledge base. */
export interface AgentKnowledge {
  /** Every program that the agent may choose, installed or not. */
  readonly programs: readonly string[];
  /** How each metric is named, printed and judged. */
  readonly metrics: MetricDefinitions;
  /**
   * What is wrong with the settings of programs: parameters that none has, and values that are none of their type.
   * @param at path of the settings in the request
   */
  checkSettings(settings: ProgramSettings, at: string): readonly FieldProblem[];
  /**
   * What a text asks for.
   * @param experiment absent: as its words say
   */
  readonly readAdvice: (text: string, experiment?: ExperimentType) => AdviceReading;
  /** What each file is to the agent, and why. */
  categories(files: readonly SessionFile[]): readonly SubmissionReading['files'][number]['categories'][];
  /** The outcome of each submitted file, and why. */
  fileUses(session: Session): readonly FileUse[];
  bestFiles(session: Session): readonly BestFile[];
  /** The cycles that speak of what is delivered: of the best model, where a program has made one; never of a ligand without evidence. */
  cyclesOfBest(session: Session): readonly CycleRecord[];
  /** The five parts of an assessment, as the rules write them. */
  assessment(session: Session): readonly AssessmentPart[];
  /** What the log of a cycle says, as its analysis has read it. */
  logSummary(record: CycleRecord): readonly LogSummaryPart[];
  /**
   * The session in words, as Markdown.
   * @param now milliseconds since the epoch, for times of a session that has not ended
   */
  summary(session: Session, now?: number): string;
}
