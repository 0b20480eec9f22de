import { shortName } from '@fleet/contracts/sessions';
import type { AdviceWords } from './compile-words';
import type { UnfollowedWords } from './reading';
import type { Sentence } from './sentences';

/** Shorter words are too often one letter away from another. */
const shortest = 5;

/** Whether two letters from a position on have changed places. */
const isSwapped = (one: string, other: string, at: number): boolean =>
  one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);

/** Whether the words differ by one inserted, deleted or replaced letter, or two letters that changed places. */
const isOneEditAway = (one: string, other: string): boolean => {
  const longer = one.length - other.length;
  if (Math.abs(longer) > 1 || one === other) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return one.slice(longer < 0 ? at : at + 1) === other.slice(longer > 0 ? at : at + 1) || isSwapped(one, other, at);
};

const nameWords = ({ knowledge }: AdviceWords): readonly string[] => [
  ...new Set(
    knowledge.programs
      .map(({ program }) => shortName(program))
      .filter((name) => name.length >= shortest && !name.includes('_')),
  ),
];

/** Words that are nearly a program's name: the name is suggested, but not used. */
export const misspeltNames = (sentences: readonly Sentence[], words: AdviceWords): readonly UnfollowedWords[] => {
  const names = nameWords(words);
  const known = new Set([...names, ...words.knowledge.not_names]);
  const seen = new Set<string>();
  return sentences.flatMap(({ plain }) =>
    (plain.match(/[a-z]{5,20}/g) ?? []).flatMap((word) => {
      if (known.has(word) || seen.has(word) || word.startsWith('refin')) return [];
      seen.add(word);
      const intended = names.find((name) => isOneEditAway(word, name));
      return intended === undefined
        ? []
        : [{ words: word, why: `no program is called so; perhaps phenix.${intended} is meant` }];
    }),
  );
};
