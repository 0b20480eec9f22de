import type { Choice, ChoosingContext } from './decision-types';
import type { OfferedProgram } from '@fleet/workflow';

type Remaining = Pick<ChoosingContext, 'menu' | 'rejections'>;

const without = (programs: readonly OfferedProgram[], rejections: Remaining['rejections']): readonly OfferedProgram[] =>
  programs.filter(({ program }) => !rejections.some((rejection) => rejection.program === program));

/** Programs of the menu that this decision has not refused yet, in the order of preference. */
export const remainingPrograms = ({ menu, rejections }: Remaining): readonly OfferedProgram[] =>
  without(
    menu.offered,
    rejections.filter(({ forModels }) => forModels !== true),
  );

/** The same followed by the additional choices of a language model; empty if nothing of the menu is left. */
export const remainingForModels = (context: Remaining): readonly OfferedProgram[] => {
  const own = remainingPrograms(context);
  return own.length === 0 ? own : [...own, ...without(context.menu.forModels, context.rejections)];
};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The step's own order of preference decides; the reasons come from the rules. */
export const chooseByRules = (context: ChoosingContext): Choice | undefined => {
  const [first] = remainingPrograms(context);
  if (first === undefined) return undefined;
  const reason = [context.menu.why, first.why].filter((text, index, all) => all.indexOf(text) === index);
  return { program: first.program, reasoning: reason.map(sentence).join(' '), strategy: {} };
};
