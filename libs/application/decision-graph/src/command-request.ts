import type { CommandRequest } from '@fleet/commands';
import type { ProgramKnowledge } from '@fleet/knowledge-model';
import type { DescribedSession } from '@fleet/workflow';
import type { Choice, Rejection } from './decision-types';

/** The input for building a command: files, facts, the values of the chooser and of the submitter, and the corrections after failures. */
export const commandRequestOf = (
  program: ProgramKnowledge,
  { files, facts, programs, directives, steering, held }: DescribedSession,
  choice: Pick<Choice, 'strategy'>,
  rejections: readonly Rejection[],
): CommandRequest => {
  const state = programs.get(program.name);
  const refused = rejections.filter((one) => one.program === program.name).length;
  return {
    program,
    files,
    facts,
    strategy: choice.strategy,
    held: held.settings,
    attempt: refused + (state?.failedSinceSuccess ?? 0),
    ...(directives.program_settings === undefined ? {} : { settings: directives.program_settings }),
    ...(state?.recovery === undefined ? {} : { recovery: state.recovery }),
    ...(steering.recoveries === undefined ? {} : { stated: steering.recoveries }),
    refused: steering.refused?.[program.name] ?? [],
  };
};
