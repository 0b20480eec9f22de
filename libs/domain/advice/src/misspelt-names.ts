import { editDistance } from '@fleet/contracts';
import type { AdviceWords } from './compile-words';
import type { UnfollowedWords } from './reading';
import type { Sentence } from './sentences';

/** Shorter words are too often one letter away from another. */
const shortest = 5;

/** One letter more, less or other. */
const isOneEditAway = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) <= 1 && editDistance(one, other) === 1;

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
