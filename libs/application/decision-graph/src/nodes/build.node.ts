import type { DescribedSession } from '@fleet/workflow';
import { buildCommand } from '@fleet/commands';
import { commandRequestOf } from '../command-request';
import type { GraphDeps } from '../decision-types';
import { eventOf } from '../event-of';
import type { DecisionNode } from '../state';
import { preferenceEvents, valueEvents } from '../value-events';

/** Reported once, with the run after the failure. */
const learnt = ({ programs }: DescribedSession, program: string): readonly string[] => {
  const recovery = programs.get(program)?.recovery;
  return recovery?.retry === true ? recovery.why.slice(-1) : [];
};

/** Builds the command of the chosen program. Parameters that the program does not know are omitted, with an event. */
export const makeBuild =
  (deps: GraphDeps): DecisionNode =>
  ({ input, draft: { assessment, choice, rejections } }) => {
    const program = choice === undefined ? undefined : deps.ruleBook.programs[choice.program];
    if (assessment === undefined || choice === undefined || program === undefined) return {};
    const result = buildCommand(commandRequestOf(program, assessment.described, choice, rejections));
    if (!result.built) return { draft: { problem: result.why } };
    return {
      draft: { command: result.command },
      events: [
        ...preferenceEvents(input, choice.program, result.command),
        ...valueEvents(input, choice.program, result.command),
        ...learnt(assessment.described, choice.program).map((why) =>
          eventOf(input, 'program_modified', `${choice.program}: ${why}`, { program: choice.program }),
        ),
        ...result.command.adjusted.map((what) =>
          eventOf(input, 'program_modified', `${choice.program}: ${what}`, { program: choice.program }),
        ),
        ...result.command.rejected.map(({ key, why }) =>
          eventOf(input, 'program_modified', `${choice.program}: "${key}" is left out, ${why}`, {
            program: choice.program,
            key,
          }),
        ),
      ],
    };
  };
