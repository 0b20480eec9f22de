import { objectionTo, type Objection } from '../command-check';
import type { GraphDeps } from '../decision-types';
import { eventOf } from '../event-of';
import { lookAt } from '../look';
import type { DecisionNode, DecisionStateType, Draft } from '../state';

const refusalOf = (
  { input, draft: { choice, command, problem, situation } }: DecisionStateType,
  { ruleBook }: GraphDeps,
): Objection | undefined => {
  const program = ruleBook.programs[choice?.program ?? ''];
  // Without the files for it a program is no way at all: the rules may know another step.
  if (command === undefined || situation === undefined || program === undefined)
    return { why: problem ?? 'no command was built', spent: true };
  return objectionTo(command, program, situation.described, { session: input.session, ruleBook });
};

/** A program without another command is no way any more; what the rules say without it may be another step. */
const without = (
  program: string,
  why: string,
  { input, draft }: DecisionStateType,
  deps: GraphDeps,
): Partial<Draft> => {
  const spent = new Map([...draft.spent, [program, why]]);
  return { spent, situation: lookAt(input, deps, spent) };
};

/** Refuses commands with foreign files and commands that ran before; the refusal goes back to plan. */
export const makeValidate =
  (deps: GraphDeps): DecisionNode =>
  (state) => {
    const { choice, rejections } = state.draft;
    const refusal = refusalOf(state, deps);
    if (choice === undefined || refusal === undefined) return {};
    const { program } = choice;
    const { why, spent } = refusal;
    return {
      draft: {
        command: undefined,
        rejections: [...rejections, { program, why }],
        ...(spent ? without(program, why, state, deps) : {}),
      },
      events: [eventOf(state.input, 'warning', `${program} cannot run: ${why}`, { program })],
    };
  };
