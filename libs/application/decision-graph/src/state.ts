import type { BuiltCommand } from '@fleet/commands';
import type { SessionEvent, SessionStop } from '@fleet/contracts/sessions';
import { Annotation } from '@langchain/langgraph';
import type { Choice, DecisionInput, Rejection, Assessment } from './decision-types';

/** An incomplete decision; a node returns only what it changes. */
export interface Draft {
  /** The result of perceive, unless the session contradicts itself. */
  readonly assessment?: Assessment;
  /** A stop condition that already holds. */
  readonly pastStop?: SessionStop;
  /** Set by plan or fallback; undefined when the menu has nothing left. */
  readonly choice?: Choice | undefined;
  /** Set by build; undefined again when validate refused it. */
  readonly command?: BuiltCommand | undefined;
  /** Why build could not make the command. */
  readonly problem?: string | undefined;
  readonly decidedBy: 'rules' | 'fallback' | 'model';
  /** Programs that have failed and have no other command left, with the reason. */
  readonly exhausted: ReadonlyMap<string, string>;
  /** Choices that could not run, oldest first. */
  readonly rejections: readonly Rejection[];
  /** Ends the decision without a program. */
  readonly stop?: SessionStop;
}

export const nothingYet = (): Draft => ({ decidedBy: 'rules', exhausted: new Map(), rejections: [] });

export const merged = (known: Draft, change: Partial<Draft>): Draft => ({ ...known, ...change });

export const appended = (known: readonly SessionEvent[], more: readonly SessionEvent[]): readonly SessionEvent[] => [
  ...known,
  ...more,
];

/** The fields of the graph. Everything that only nodes exchange is one field, because LangGraph processes every field at every node. */
export const DecisionState = Annotation.Root({
  input: Annotation<DecisionInput>,
  draft: Annotation<Draft, Partial<Draft>>({
    reducer: merged,
    default: nothingYet,
  }),
  events: Annotation<readonly SessionEvent[]>({ reducer: appended, default: () => [] }),
});

export type DecisionStateType = typeof DecisionState.State;
/** What a node changes. */
export interface DecisionUpdate {
  readonly draft?: Partial<Draft>;
  readonly events?: readonly SessionEvent[];
}
export type DecisionNode = (state: DecisionStateType) => DecisionUpdate | Promise<DecisionUpdate>;
