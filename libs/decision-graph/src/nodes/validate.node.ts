import { objectionTo } from '../command-check';
import { eventOf } from '../event-of';
import type { DecisionNode } from '../state';

/** Refuses commands with foreign files and commands that ran before; the refusal goes back to plan. */
export const makeValidate =
  (): DecisionNode =>
  ({ input, described, choice, command, problem }) => {
    if (choice === undefined || described === undefined) return {};
    const why =
      problem ?? (command === undefined ? 'no command was built' : objectionTo(command, described, input.session));
    if (why === undefined) return {};
    return {
      problem: why,
      command: undefined,
      rejections: [{ program: choice.program, why }],
      events: [eventOf(input, 'warning', `${choice.program} cannot run: ${why}`, { program: choice.program })],
    };
  };
