import type { AdviceSources, Draft } from './draft';
import type { FoundValue } from './value-context';
import type { SentenceFindings } from './sentence-findings';

/** "The resolution is 1.8 Å", "data go to 1.8 Å", "1.8 Å data" describe; "cut at 2.0" requests. */
const describing = /\b(?:is|are|was|were|go|goes|extends?|reach(?:es)?)\b|\bdata(?: ?sets?)?$/;
const isDescription = ({ sentence }: SentenceFindings, { key, start, end }: FoundValue): boolean =>
  key === 'resolution' && describing.test(sentence.plain.slice(start, end));

/** Values with their sentences, in the order of the text; a description comes after a request of the same key. */
const valuesIn = (
  followed: readonly SentenceFindings[],
): readonly { readonly one: SentenceFindings; readonly found: FoundValue }[] => {
  const values = followed.flatMap((one) =>
    one.values.values.map((found) => ({ one, found, describes: isDescription(one, found) })),
  );
  const requested = new Set(values.flatMap(({ found, describes }) => (describes ? [] : [found.key])));
  const isLater = ({ found, describes }: (typeof values)[number]): boolean => describes && requested.has(found.key);
  return values.toSorted((one, other) => Number(isLater(one)) - Number(isLater(other)));
};

/** Sets values of parameters. "Refine to 2.5 Å" applies to all programs, unless the same text gives refinement its own settings. */
export const keepValues = (draft: Draft, followed: readonly SentenceFindings[], sources: AdviceSources): void => {
  const { refinement, omit_map } = sources.words.knowledge.meant;
  const refine = refinement[sources.experiment].program;
  const all = followed.flatMap(({ values }) => values.values);
  // "Build at 3 Å, refine at 2 Å": each value has its own program.
  const isOfAnother = (one: FoundValue, other: FoundValue): boolean =>
    other.key === one.key && other.value !== one.value && !other.ofRefinement && other.program === one.program;
  const owner = (one: FoundValue): string =>
    one.ofRefinement && all.some((other) => other.program === refine || isOfAnother(one, other)) ? refine : one.program;
  // "Not -h,-k,l but h,-h-k,-l": the requested one counts.
  const gives = ({ key, value }: FoundValue): boolean =>
    value === false && all.some((other) => other.key === key && typeof other.value === 'string');
  for (const { one, found } of valuesIn(followed)) {
    draft.used.add(one);
    const { words } = one.sentence;
    const { key, value, start, end } = found;
    if (gives(found)) draft.leavesOut(`program_settings.${owner(found)}.${key}`, words.slice(start, end), words);
    else draft.setting(owner(found), key, value, words);
  }
  for (const one of followed) {
    const { words } = one.sentence;
    const { selection } = one.atoms ?? {};
    if (selection === undefined || draft.settings[omit_map.program]?.[omit_map.selection] !== undefined) continue;
    draft.setting(omit_map.program, omit_map.selection, selection, words);
  }
};

/** Sets files to be used, and files to be ignored. */
export const keepFiles = (draft: Draft, followed: readonly SentenceFindings[]): void => {
  const requests = followed.flatMap((one) => one.files.map((file) => ({ ...file, one })));
  for (const { file, role, one } of requests) {
    draft.used.add(one);
    const { words } = one.sentence;
    if (role === 'exclude') continue;
    draft.set(['file_preferences', role], file, {
      words,
      says: `${file} is used.`,
      twice: (first) => `${first} and ${file} are both asked for; ${first} is used, which is named first.`,
    });
  }
  const excluded = requests.filter(({ role }) => role === 'exclude');
  const names = [...new Set(excluded.map(({ file }) => file))];
  if (names.length === 0) return;
  const words = excluded[0]?.one.sentence.words ?? '';
  draft.set(['file_preferences', 'exclude'], names, {
    words,
    says: `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not used.`,
  });
};
