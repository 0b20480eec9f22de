import { commandRejectionOf, type CommandRejection } from '../command-check';
import type { GraphDeps } from '../decision-types';
import { eventOf } from '../event-of';
import { lookAt } from '../look';
import type { DecisionNode, DecisionStateType, Draft } from '../state';

const refusalOf = (
  { input, draft: { choice, command, problem, assessment } }: DecisionStateType,
  { ruleBook }: GraphDeps,
): CommandRejection | undefined => {
  const program = ruleBook.programs[choice?.program ?? ''];
  // A program without the required files does not count: the rules may find another step.
  if (command === undefined || assessment === undefined || program === undefined)
    return { why: problem ?? 'no command was built', exhausted: true };
  return commandRejectionOf(command, program, assessment.described, { session: input.session, ruleBook });
};

/** Excludes a program without another command; the rules without it may find another step. */
const without = (
  program: string,
  why: string,
  { input, draft }: DecisionStateType,
  deps: GraphDeps,
): Partial<Draft> => {
  const exhausted = new Map([...draft.exhausted, [program, why]]);
  return { exhausted, assessment: lookAt(input, deps, exhausted) };
};

/** Refuses commands with foreign files and repeated commands; the refusal goes back to plan. */
export const makeValidate =
  (deps: GraphDeps): DecisionNode =>
  (state) => {
    const { choice, rejections, assessment } = state.draft;
    const refusal = refusalOf(state, deps);
    if (choice === undefined || refusal === undefined) return {};
    const { program } = choice;
    const { why, exhausted } = refusal;
    const isForModels = assessment?.menu.forModels.some((one) => one.program === program) === true;
    return {
      draft: {
        command: undefined,
        rejections: [...rejections, { program, why, ...(isForModels && { forModels: true }) }],
        ...(exhausted ? without(program, why, state, deps) : {}),
      },
      events: [eventOf(state.input, 'warning', `${program} cannot run: ${why}`, { program })],
    };
  };
