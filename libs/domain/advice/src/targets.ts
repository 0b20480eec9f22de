import { matchesIn, type AdviceWords } from './compile-words';
import { fractionOf } from './numbers';
import type { Sentence } from './sentences';
import { spanOf, type Span } from './spans';

/** "R-free is 0.38" is a description, unless the sentence names a stop or a target. */
const describes = /(?:[=:]|\b(?:is|has|of|at)) ?(?=[\d.,%]+ ?%?$)|\b(?:is|has) (?:of|at) ?(?=[\d.,%]+ ?%?$)/;
const isAim =
  /\b(?:stop|end|finish|halt|quit|until|till|when|once|as soon as|if|unless|before|target|goal|aim|get|want|(?<!no )need|like|hope|reach|should|must|would|enough|satisf[a-z]+|happy|fine)\b/;

/** Quality targets, as fractions. */
export const targetsOf = (
  words: AdviceWords,
  sentence: Sentence,
): readonly (Span & { readonly field: 'r_free_target' | 'map_cc_target'; readonly value: number })[] =>
  words.targets.flatMap((target) =>
    matchesIn(target, sentence)
      .filter(([text]) => !describes.test(text) || isAim.test(sentence.plain))
      .map((match) => ({
        ...spanOf(match),
        field: target.of,
        value: fractionOf(match.groups?.['value'] ?? ''),
      }))
      .filter(({ value }) => value > 0 && value < 1),
  );
