import type { FirstStep, ProgramCatalogue, Session } from '@fleet/contracts';
import type { DecideResponse, DecisionApi } from '@fleet/decision-api';

/** The part of the v2 API that answers over HTTP. */
export type DecisionDesk = Pick<DecisionApi, 'answer' | 'answerEncoded'> & Partial<FirstDecisions>;

/** Tells what a session would do first. */
export interface FirstDecisions {
  firstStep(session: Session, catalogue: ProgramCatalogue): Promise<FirstStep>;
}

export interface EncodedResult {
  readonly encoded: string;
  readonly failed: boolean;
}

/** What goes to a thread: one request, as a document or encoded; or a session that has not begun. */
export type DecisionTask =
  | { readonly kind: 'document'; readonly document: unknown }
  | { readonly kind: 'encoded'; readonly encoded: string }
  | { readonly kind: 'first'; readonly session: Session; readonly catalogue: ProgramCatalogue };

/** What comes back from a thread. */
export type DecisionAnswer = DecideResponse | EncodedResult | FirstStep;
