import { objectionTo } from '../command-check';
import { eventOf } from '../event-of';
import type { DecisionNode, DecisionStateType } from '../state';

const refusalOf = ({ input, draft: { command, problem, situation } }: DecisionStateType): string | undefined => {
  if (command === undefined || situation === undefined) return problem ?? 'no command was built';
  return objectionTo(command, situation.described, input.session);
};

/** Refuses commands with foreign files and commands that ran before; the refusal goes back to plan. */
export const makeValidate = (): DecisionNode => (state) => {
  const { choice, rejections } = state.draft;
  const why = refusalOf(state);
  if (choice === undefined || why === undefined) return {};
  return {
    draft: { command: undefined, rejections: [...rejections, { program: choice.program, why }] },
    events: [eventOf(state.input, 'warning', `${choice.program} cannot run: ${why}`, { program: choice.program })],
  };
};
