import type { Choice, ChoosingContext } from './decision-types';
import type { OfferedProgram } from '@fleet/workflow';

/** Programs of the menu that this decision has not refused yet, in the order of preference. */
export const remainingPrograms = ({
  menu,
  rejections,
}: Pick<ChoosingContext, 'menu' | 'rejections'>): readonly OfferedProgram[] =>
  menu.offered.filter(({ program }) => !rejections.some((rejection) => rejection.program === program));

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The step's own order of preference decides; the reasons come from the rules. */
export const chooseByRules = (context: ChoosingContext): Choice | undefined => {
  const [first] = remainingPrograms(context);
  if (first === undefined) return undefined;
  const because = [context.menu.why, first.why].filter((text, index, all) => all.indexOf(text) === index);
  return { program: first.program, reasoning: because.map(sentence).join(' '), strategy: {} };
};
