import type { DecideResponse, DecisionApi } from '@fleet/decision-api';

/** The part of the v2 API that answers over HTTP. */
export type DecisionDesk = Pick<DecisionApi, 'answer' | 'answerEncoded'>;

export interface EncodedResult {
  readonly encoded: string;
  readonly failed: boolean;
}

/** What goes to a thread: one request, as a document or encoded. */
export type DecisionTask =
  { readonly kind: 'document'; readonly document: unknown } | { readonly kind: 'encoded'; readonly encoded: string };

/** What comes back from a thread. */
export type DecisionAnswer = DecideResponse | EncodedResult;
