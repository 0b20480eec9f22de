import { objectionTo } from '../command-check';
import { eventOf } from '../event-of';
import type { DecisionNode, DecisionStateType } from '../state';

const refusalOf = ({ input, situation, proposal }: DecisionStateType): string | undefined => {
  const { command, problem } = proposal ?? {};
  if (command === undefined || situation === undefined) return problem ?? 'no command was built';
  return objectionTo(command, situation.described, input.session);
};

/** Refuses commands with foreign files and commands that ran before; the refusal goes back to plan. */
export const makeValidate = (): DecisionNode => (state) => {
  const choice = state.proposal?.choice;
  const why = refusalOf(state);
  if (choice === undefined || why === undefined) return {};
  return {
    proposal: { choice, problem: why, decidedBy: 'rules' },
    rejections: [{ program: choice.program, why }],
    events: [eventOf(state.input, 'warning', `${choice.program} cannot run: ${why}`, { program: choice.program })],
  };
};
