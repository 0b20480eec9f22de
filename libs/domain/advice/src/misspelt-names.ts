import type { AdviceWords } from './compile-words';
import type { UnfollowedWords } from './reading';
import type { Sentence } from './sentences';

/** Shorter words are too often one letter away from another. */
const shortest = 5;

/** One letter more, less, other, or two exchanged. */
const isOneEditAway = (one: string, other: string): boolean => {
  if (one === other || Math.abs(one.length - other.length) > 1) return false;
  let from = 0;
  while (from < one.length && one[from] === other[from]) from += 1;
  const [rest, otherRest] = [one.slice(from), other.slice(from)];
  const isExchanged = rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);
  return (
    rest.slice(1) === otherRest || rest === otherRest.slice(1) || rest.slice(1) === otherRest.slice(1) || isExchanged
  );
};

const nameWords = ({ knowledge }: AdviceWords): readonly string[] => [
  ...new Set(
    knowledge.programs
      .map(({ program }) => program.replace('phenix.', ''))
      .filter((name) => name.length >= shortest && !name.includes('_')),
  ),
];

/** Words that are nearly a program's name: what was meant is suggested, never guessed. */
export const misspeltNames = (sentences: readonly Sentence[], words: AdviceWords): readonly UnfollowedWords[] => {
  const names = nameWords(words);
  const known = new Set([...names, ...words.knowledge.not_names]);
  const seen = new Set<string>();
  return sentences.flatMap(({ plain }) =>
    (plain.match(/[a-z]{5,20}/g) ?? []).flatMap((word) => {
      if (known.has(word) || seen.has(word) || word.startsWith('refin')) return [];
      seen.add(word);
      const meant = names.find((name) => isOneEditAway(word, name));
      return meant === undefined
        ? []
        : [{ words: word, why: `no program is called so; perhaps phenix.${meant} is meant` }];
    }),
  );
};
