import { buildCommand, type BuiltCommand } from '@fleet/commands';
import type { SessionStop } from '@fleet/contracts/sessions';
import { advised, scientificCycles, stopOnMenu } from '@fleet/workflow';
import { remainingPrograms } from '../choose-by-rules';
import { commandRejectionOf } from '../command-check';
import { commandRequestOf } from '../command-request';
import type { Choice, GraphDeps, Rejection } from '../decision-types';
import { eventOf } from '../event-of';
import type { DecisionNode, DecisionStateType } from '../state';

const tryProgram = (
  program: string,
  { input, draft: { assessment, rejections } }: DecisionStateType,
  deps: GraphDeps,
): BuiltCommand | string => {
  const knowledge = deps.ruleBook.programs[program];
  if (knowledge === undefined || assessment === undefined) return 'it is not described';
  const { described } = assessment;
  const result = buildCommand(commandRequestOf(knowledge, described, { strategy: {} }, rejections));
  if (!result.built) return result.why;
  return (
    commandRejectionOf(result.command, knowledge, described, { session: input.session, ruleBook: deps.ruleBook })
      ?.why ?? result.command
  );
};

const nothingWorks = ({ input }: DecisionStateType, rejections: readonly Rejection[]): SessionStop => {
  const last = scientificCycles(input.session).at(-1);
  const afterCycle = input.session.cycles.at(-1)?.cycle ?? 0;
  const tried = rejections.map(({ program, why }) => `${program}: ${why}`).join('; ');
  return last?.result.outcome === 'failed'
    ? {
        reason: 'program_failed',
        detail: `${last.decision.program} failed in cycle ${last.cycle}: ${last.result.summary} No other way is left (${tried}).`,
        afterCycle,
      }
    : { reason: 'no_program', detail: `No program of this step can run. ${tried}.`, afterCycle };
};

/** Chooses the first program of the menu for which a command can be built; stops with the reasons if there is none. */
export const makeFallback =
  (deps: GraphDeps): DecisionNode =>
  (state) => {
    const { assessment, rejections } = state.draft;
    if (assessment === undefined) return {};
    const refused: Rejection[] = [];
    for (const { program, why } of remainingPrograms({ menu: assessment.menu, rejections })) {
      const command = tryProgram(program, state, deps);
      if (typeof command === 'string') {
        refused.push({ program, why: command });
        continue;
      }
      const choice: Choice = { program, reasoning: `Other choices could not run; ${why}.`, strategy: {} };
      return {
        draft: { choice, command, decidedBy: 'fallback', rejections: [...rejections, ...refused] },
        events: [eventOf(state.input, 'program_modified', `${program}: ${choice.reasoning}`, { program })],
      };
    }
    const { described, menu } = assessment;
    const stop = stopOnMenu(described, menu, state.input.session) ?? nothingWorks(state, [...rejections, ...refused]);
    return { draft: { stop: advised(stop, described.facts, deps.ruleBook) } };
  };
