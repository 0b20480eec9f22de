import { buildCommand } from '@fleet/commands';
import { commandRequestOf } from '../command-request';
import type { GraphDeps } from '../decision-types';
import { eventOf } from '../event-of';
import type { DecisionNode } from '../state';

/** Builds the command of the chosen program. Parameters that the program does not know are left out, visibly. */
export const makeBuild =
  (deps: GraphDeps): DecisionNode =>
  ({ input, draft: { situation, choice, rejections } }) => {
    const program = choice === undefined ? undefined : deps.ruleBook.programs[choice.program];
    if (situation === undefined || choice === undefined || program === undefined) return {};
    const result = buildCommand(commandRequestOf(program, situation.described, choice, rejections));
    if (!result.built) return { draft: { problem: result.why } };
    return {
      draft: { command: result.command },
      events: result.command.rejected.map(({ key, why }) =>
        eventOf(input, 'program_modified', `${choice.program}: "${key}" is left out, ${why}`, {
          program: choice.program,
          key,
        }),
      ),
    };
  };
