import type { KeptAssessment, KeptLogSummary } from '@fleet/contracts/results';
import type { Session } from '@fleet/contracts/sessions';

export const ASSESSMENTS = Symbol('Assessments');
export const LOG_SUMMARIES = Symbol('LogSummaries');

/** The outcome of a wish, in the folder of its session, and the number of the of its subject it is. */
export interface Numbered<T> {
  /** From 1. */
  readonly number: number;
  readonly kept: T;
}

/** What models have made of wishes, in the folder of the session: of the session as a whole, or of each cycle by itself. */
export interface Writings<T> {
  /** Undefined where there is none that this installation wrote. @throws Fault (transient) when the disk is in trouble */
  newest(session: Session, cycle?: number): Promise<Numbered<T> | undefined>;
  /** The number of the next one: above all that is there, whoever wrote it. @throws Fault (transient) when the disk is in trouble; (conflict) where none is left */
  next(session: Session, cycle?: number): Promise<number>;
  /** One that is there already stays; it is a conflict where that is none of this installation. @throws Fault (transient) when the disk is in trouble; (conflict) */
  keep(session: Session, numbered: Numbered<T>, cycle?: number): Promise<void>;
}

/** Of sessions as a whole. */
export type Assessments = Writings<KeptAssessment>;
/** Of the log of each cycle. */
export type LogSummaries = Writings<KeptLogSummary>;
