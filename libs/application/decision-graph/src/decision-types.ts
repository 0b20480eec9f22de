import type { StrategyValue } from '@fleet/contracts/schema';
import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { DecisionRecord, PlanningRecord, Session, SessionEvent, SessionStop } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import type { DescribedSession, Menu } from '@fleet/workflow';

/** One request for a decision. The session record is all the memory there is. */
export interface DecisionInput {
  readonly session: Session;
  readonly catalogue: ProgramCatalogue;
  /** Paths of the session's files that are gone from the disk, where somebody has looked. */
  readonly missing?: ReadonlySet<string>;
  /** A stop condition that holds already: the decision tells what it sees and ends with it. */
  readonly stop?: SessionStop;
  /** ISO 8601; stamped on the events. */
  readonly now: string;
}

export type UndatedDecision = Omit<DecisionRecord, 'decidedAt'>;

/** The session as the rules saw it. */
export interface Assessment {
  readonly described: DescribedSession;
  readonly menu: Menu;
}

/** What a decision comes to, with the events that tell how. */
export type DecisionOutcome = ({ readonly decision: UndatedDecision } | { readonly stop: SessionStop }) & {
  readonly events: readonly SessionEvent[];
  readonly assessment?: Assessment;
  /** What the stop rules say to the last cycle; present only where they would have ended the session there. */
  readonly pastStop?: SessionStop;
};

/** A program chosen from the menu, or the end where it stands there. */
export interface Choice {
  /** Name of the program, or STOP. */
  readonly program: string;
  readonly reasoning: string;
  /** Keys that the chooser sets; the rest is filled by the rules of the program. */
  readonly strategy: Readonly<Record<string, StrategyValue>>;
  /** Present where models were asked. */
  readonly planning?: PlanningRecord;
  /** How sure a model is that chose. */
  readonly confidence?: DecisionRecord['confidence'];
}

/** A program that was tried in this decision and refused, with the reason that goes back to the chooser. */
export interface Rejection {
  readonly program: string;
  readonly why: string;
  /** It stood on the menu for models alone: to the rules it has not been tried. */
  readonly forModels?: true;
}

export interface ChoosingContext {
  readonly session: Session;
  readonly described: DescribedSession;
  readonly menu: Menu;
  readonly rejections: readonly Rejection[];
}

/** Picks from what the menu still offers; undefined when nothing is left. */
export type Chooser = (context: ChoosingContext) => Choice | undefined | Promise<Choice | undefined>;

export interface GraphDeps {
  readonly ruleBook: RuleBook;
  readonly choose: Chooser;
}
