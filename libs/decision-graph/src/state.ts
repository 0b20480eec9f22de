import type { SessionEvent, SessionStop } from '@fleet/contracts';
import type { BuiltCommand } from '@fleet/commands';
import type { DescribedSession, Menu } from '@fleet/workflow';
import { Annotation } from '@langchain/langgraph';
import type { Choice, DecisionInput, Rejection } from './decision-types';

const append = <T>(known: readonly T[], more: readonly T[]): readonly T[] => [...known, ...more];

/** Every field of a decision in the making; a node returns only what it changes. */
export const DecisionState = Annotation.Root({
  input: Annotation<DecisionInput>,
  /** Set by perceive, unless the session cannot even be described. */
  described: Annotation<DescribedSession | undefined>,
  menu: Annotation<Menu | undefined>,
  /** Set by plan; undefined when the menu has nothing left. */
  choice: Annotation<Choice | undefined>,
  /** Set by build; undefined when the command could not be built. */
  command: Annotation<BuiltCommand | undefined>,
  /** Why build or validate refused the present choice. */
  problem: Annotation<string | undefined>,
  decidedBy: Annotation<'rules' | 'fallback'>({ reducer: (_old, value) => value, default: () => 'rules' }),
  rejections: Annotation<readonly Rejection[]>({ reducer: append, default: () => [] }),
  /** Ends the decision without a program. */
  stop: Annotation<SessionStop | undefined>,
  events: Annotation<readonly SessionEvent[]>({ reducer: append, default: () => [] }),
});

export type DecisionStateType = typeof DecisionState.State;
export type DecisionUpdate = typeof DecisionState.Update;
export type DecisionNode = (state: DecisionStateType) => DecisionUpdate | Promise<DecisionUpdate>;
