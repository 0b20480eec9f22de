import type { FirstStep } from '@fleet/contracts/batches';
import type { Replay } from '@fleet/contracts/results';
import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { Session } from '@fleet/contracts/sessions';
import type { DecideResponse } from '@fleet/decision-api';
import type { Plan, PlanQuestion, TurnOutcome } from '@fleet/model-turns';

/** The requester of a decision. */
export interface Requester {
  /** As in keys and accounts; empty if unknown. */
  readonly caller: string;
  /** The requester's only proposal; empty if they have none or several. */
  readonly proposal: string;
  /** Aborted when the requester has gone. */
  readonly signal: AbortSignal;
}

/** The v2 API over HTTP. */
export interface DecisionDesk extends Partial<FirstDecisions & Replays> {
  answer(document: unknown, by: Requester): Promise<DecideResponse>;
  answerEncoded(encoded: string, by: Requester): Promise<EncodedResult>;
}

/** Previews the first step of a session. */
export interface FirstDecisions {
  firstStep(session: Session, catalogue: ProgramCatalogue): Promise<FirstStep>;
}

/** Repeats the decisions of a session with the gateway's knowledge. */
export interface Replays {
  replay(session: Session, catalogue: ProgramCatalogue): Promise<Replay>;
}

export interface EncodedResult {
  readonly encoded: string;
  readonly failed: boolean;
}

/** Available models, and their answers so far, by the hash of the question. */
export interface TaskModels {
  readonly providers: readonly string[];
  readonly answers: readonly (readonly [hash: string, outcome: TurnOutcome<Plan>])[];
}

/** One request, as a document or encoded. */
export type RequestTask = (
  { readonly kind: 'document'; readonly document: unknown } | { readonly kind: 'encoded'; readonly encoded: string }
) & { readonly models?: TaskModels };

/** An unanswered question for the models of a provider. */
export interface OpenQuestion {
  readonly provider: string;
  readonly hash: string;
  readonly question: PlanQuestion;
}

/** The answer to a request; from the rules as long as a question is open. */
export interface Answered {
  readonly answer: DecideResponse | EncodedResult;
  readonly open?: OpenQuestion;
}

/** Input of a thread: one request; a session that has not begun; or one to replay. */
export type DecisionTask =
  | RequestTask
  | { readonly kind: 'first'; readonly session: Session; readonly catalogue: ProgramCatalogue }
  | { readonly kind: 'replay'; readonly session: Session; readonly catalogue: ProgramCatalogue };

/** Output of a thread. */
export type DecisionAnswer = Answered | FirstStep | Replay;
