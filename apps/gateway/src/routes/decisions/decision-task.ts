import type { FirstStep } from '@fleet/contracts/batches';
import type { Replay } from '@fleet/contracts/results';
import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { Session } from '@fleet/contracts/sessions';
import type { DecideResponse } from '@fleet/decision-api';
import type { Plan, PlanQuestion, TurnOutcome } from '@fleet/model-turns';

/** Who waits for a decision. */
export interface AskedBy {
  /** As keys and accounts have it; empty where nobody knows. */
  readonly caller: string;
  /** The only proposal of whoever asks; empty where there are none or more. */
  readonly proposal: string;
  /** Nobody waits any more. */
  readonly signal: AbortSignal;
}

/** The v2 API as it is answered over HTTP. */
export interface DecisionDesk extends Partial<FirstDecisions & Replays> {
  answer(document: unknown, by: AskedBy): Promise<DecideResponse>;
  answerEncoded(encoded: string, by: AskedBy): Promise<EncodedResult>;
}

/** Tells what a session would do first. */
export interface FirstDecisions {
  firstStep(session: Session, catalogue: ProgramCatalogue): Promise<FirstStep>;
}

/** Makes the decisions of a session again, under the gateway's knowledge. */
export interface Replays {
  replay(session: Session, catalogue: ProgramCatalogue): Promise<Replay>;
}

export interface EncodedResult {
  readonly encoded: string;
  readonly failed: boolean;
}

/** Models that may be asked, and what they have answered so far, by the hash of the question. */
export interface TaskModels {
  readonly providers: readonly string[];
  readonly answers: readonly (readonly [hash: string, outcome: TurnOutcome<Plan>])[];
}

/** One request, as a document or encoded. */
export type RequestTask = (
  { readonly kind: 'document'; readonly document: unknown } | { readonly kind: 'encoded'; readonly encoded: string }
) & { readonly models?: TaskModels };

/** A question that models of a provider have not answered yet. */
export interface OpenQuestion {
  readonly provider: string;
  readonly hash: string;
  readonly question: PlanQuestion;
}

/** The answer to a request, of the rules as far as a question is open. */
export interface Answered {
  readonly answer: DecideResponse | EncodedResult;
  readonly open?: OpenQuestion;
}

/** What goes to a thread: one request; a session that has not begun; or one that is replayed. */
export type DecisionTask =
  | RequestTask
  | { readonly kind: 'first'; readonly session: Session; readonly catalogue: ProgramCatalogue }
  | { readonly kind: 'replay'; readonly session: Session; readonly catalogue: ProgramCatalogue };

/** What comes back from a thread. */
export type DecisionAnswer = Answered | FirstStep | Replay;
