import type { StoredAssessment, StoredLogSummary } from '@fleet/contracts/results';
import type { Session } from '@fleet/contracts/sessions';

export const ASSESSMENTS = Symbol('Assessments');
export const LOG_SUMMARIES = Symbol('LogSummaries');

/** A text from a model in the folder of its session, with its number for its subject. */
export interface Numbered<T> {
  /** 1-based. */
  readonly number: number;
  readonly kept: T;
}

/** Texts from models in the folder of the session: about the whole session, or about each cycle. */
export interface Writings<T> {
  /** Undefined if this installation wrote none. @throws Fault (transient) for a disk error */
  newest(session: Session, cycle?: number): Promise<Numbered<T> | undefined>;
  /**
   * The next number: above all existing ones, from any installation. @throws Fault (transient) for a disk error; (conflict) if no number is
   * left
   */
  next(session: Session, cycle?: number): Promise<number>;
  /** Keeps an existing text; a conflict if another installation wrote it. @throws Fault (transient) for a disk error; (conflict) */
  keep(session: Session, numbered: Numbered<T>, cycle?: number): Promise<void>;
}

/** About whole sessions. */
export type Assessments = Writings<StoredAssessment>;
/** About the log of each cycle. */
export type LogSummaries = Writings<StoredLogSummary>;
