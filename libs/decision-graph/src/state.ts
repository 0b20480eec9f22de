import type { BuiltCommand } from '@fleet/commands';
import type { SessionEvent, SessionStop } from '@fleet/contracts';
import type { DescribedSession, Menu } from '@fleet/workflow';
import { Annotation } from '@langchain/langgraph';
import type { Choice, DecisionInput, Rejection } from './decision-types';

/** What perceive found out. */
export interface Situation {
  readonly described: DescribedSession;
  readonly menu: Menu;
}

/** The program that is proposed, on its way from plan to output. */
export interface Proposal {
  /** Undefined when the menu has nothing left. */
  readonly choice?: Choice;
  /** Undefined until build made it, and again when validate refused it. */
  readonly command?: BuiltCommand;
  /** Why build could not make the command. */
  readonly problem?: string;
  readonly decidedBy: 'rules' | 'fallback';
}

const append = <T>(known: readonly T[], more: readonly T[]): readonly T[] => [...known, ...more];

/**
 * Every field of a decision in the making; a node returns only what it changes. Few fields on purpose: LangGraph's time per node
 * grows with their number (ten fields cost a third more than three).
 */
export const DecisionState = Annotation.Root({
  input: Annotation<DecisionInput>,
  /** Set by perceive, unless the session contradicts itself. */
  situation: Annotation<Situation | undefined>,
  proposal: Annotation<Proposal | undefined>,
  rejections: Annotation<readonly Rejection[]>({ reducer: append, default: () => [] }),
  /** Ends the decision without a program. */
  stop: Annotation<SessionStop | undefined>,
  events: Annotation<readonly SessionEvent[]>({ reducer: append, default: () => [] }),
});

export type DecisionStateType = typeof DecisionState.State;
export type DecisionUpdate = typeof DecisionState.Update;
export type DecisionNode = (state: DecisionStateType) => DecisionUpdate | Promise<DecisionUpdate>;
