import type { KeptAssessment, Session } from '@fleet/contracts';

export const ASSESSMENTS = Symbol('Assessments');

/** An assessment in the folder of its session, and the how many-th it is. */
export interface NumberedAssessment {
  /** From 1. */
  readonly number: number;
  readonly assessment: KeptAssessment;
}

/** What models have made of wishes for an assessment, in the folder of the session. */
export interface Assessments {
  /** Undefined where there is none that this installation wrote. @throws Fault (transient) when the disk is in trouble */
  newest(session: Session): Promise<NumberedAssessment | undefined>;
  /** The number of the next one: above all that is there, whoever wrote it. @throws Fault (transient) when the disk is in trouble; (conflict) where none is left */
  next(session: Session): Promise<number>;
  /** One that is there already stays; it is a conflict where that is none of this installation. @throws Fault (transient) when the disk is in trouble; (conflict) */
  keep(session: Session, numbered: NumberedAssessment): Promise<void>;
}
