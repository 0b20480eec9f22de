import { buildCommand } from '@fleet/commands';
import type { GraphDeps } from '../decision-types';
import { eventOf } from '../event-of';
import type { DecisionNode } from '../state';

/** Builds the command of the chosen program. Parameters that the program does not know are left out, visibly. */
export const makeBuild =
  (deps: GraphDeps): DecisionNode =>
  ({ input, described, choice }) => {
    const program = choice === undefined ? undefined : deps.ruleBook.programs[choice.program];
    if (described === undefined || choice === undefined || program === undefined)
      return { problem: 'nothing was chosen' };
    const result = buildCommand({ program, files: described.files, facts: described.facts, strategy: choice.strategy });
    if (!result.built) return { command: undefined, problem: result.why };
    return {
      command: result.command,
      events: result.command.rejected.map(({ key, why }) =>
        eventOf(input, 'program_modified', `${choice.program}: "${key}" is left out, ${why}`, {
          program: choice.program,
          key,
        }),
      ),
    };
  };
