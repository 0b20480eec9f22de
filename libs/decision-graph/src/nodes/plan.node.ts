import { stopOfEmptyMenu } from '@fleet/workflow';
import type { SessionStop } from '@fleet/contracts';
import type { GraphDeps, Rejection } from '../decision-types';
import { eventOf } from '../event-of';
import type { DecisionNode } from '../state';

/** Of a session that cannot go on: what this decision has tried in vain, as far as the stop does not tell it. */
const withTried = (stop: SessionStop, rejections: readonly Rejection[]): SessionStop => {
  const tried = rejections.filter(({ why }) => stop.reason === 'no_program' && !stop.detail.includes(why));
  const told = tried.map(({ program, why }) => (why.startsWith(program) ? `${why}.` : `${program}: ${why}.`));
  return { ...stop, detail: [stop.detail, ...told].join(' ') };
};

/** Chooses from the menu; never judges whether to stop (that is done after execution), except that an empty menu leaves no choice. */
export const makePlan =
  (deps: GraphDeps): DecisionNode =>
  async ({ input, draft: { situation, rejections } }) => {
    if (situation === undefined) return {};
    const { described, menu } = situation;
    if (menu.offered.length === 0) {
      return { draft: { stop: withTried(stopOfEmptyMenu(described, menu, input.session), rejections) } };
    }
    const choice = await deps.choose({ session: input.session, described, menu, rejections });
    const offered = menu.offered.some(({ program }) => program === choice?.program);
    if (choice === undefined || !offered) return { draft: { choice: undefined, command: undefined } };
    return {
      draft: { choice, command: undefined, problem: undefined },
      events: [
        eventOf(input, 'program_selected', `${choice.program}: ${choice.reasoning}`, {
          program: choice.program,
          attempt: rejections.length + 1,
          valid_programs: menu.validPrograms,
        }),
      ],
    };
  };
