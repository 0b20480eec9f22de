import type { StrategyValue } from '@fleet/contracts/schema';
import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { DecisionRecord, PlanningRecord, Session, SessionEvent, SessionStop } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import type { DescribedSession, Menu } from '@fleet/workflow';

/** One request for a decision. The session record is the only state. */
export interface DecisionInput {
  readonly session: Session;
  readonly catalogue: ProgramCatalogue;
  /** Paths of missing session files; absent if the disk was not checked. */
  readonly missing?: ReadonlySet<string>;
  /** A stop condition that already holds: the decision reports its analysis and ends with it. */
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

/** The result of a decision, with the events that explain it. */
export type DecisionOutcome = ({ readonly decision: UndatedDecision } | { readonly stop: SessionStop }) & {
  readonly events: readonly SessionEvent[];
  readonly assessment?: Assessment;
  /** The stop that the rules return after the last cycle; present only if they would have ended the session there. */
  readonly pastStop?: SessionStop;
};

/** A program chosen from the menu, or STOP. */
export interface Choice {
  /** Name of the program, or STOP. */
  readonly program: string;
  readonly reasoning: string;
  /** Keys that the chooser sets; the rules of the program fill in the rest. */
  readonly strategy: Readonly<Record<string, StrategyValue>>;
  /** Present if models were asked. */
  readonly planning?: PlanningRecord;
  /** The confidence of the model that chose. */
  readonly confidence?: DecisionRecord['confidence'];
}

/** A program that this decision tried and refused, with the reason for the chooser. */
export interface Rejection {
  readonly program: string;
  readonly why: string;
  /** It was only offered to models: for the rules it was not tried. */
  readonly forModels?: true;
}

export interface ChoosingContext {
  readonly session: Session;
  readonly described: DescribedSession;
  readonly menu: Menu;
  readonly rejections: readonly Rejection[];
}

/** Chooses from what is left of the menu; undefined if nothing is left. */
export type Chooser = (context: ChoosingContext) => Choice | undefined | Promise<Choice | undefined>;

export interface GraphDeps {
  readonly ruleBook: RuleBook;
  readonly choose: Chooser;
}
