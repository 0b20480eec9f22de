import type { AdviceSources, Draft } from './draft';
import type { FoundValue } from './value-context';
import type { SentenceFindings } from './sentence-findings';

/** Sets values of parameters. "Refine to 2.5 Å" applies to all programs, unless the same text gives refinement its own settings. */
export const keepValues = (draft: Draft, followed: readonly SentenceFindings[], sources: AdviceSources): void => {
  const { refinement, omit_map } = sources.words.knowledge.meant;
  const refine = refinement[sources.experiment].program;
  const all = followed.flatMap(({ values }) => values.values);
  const owner = ({ program, ofRefinement }: FoundValue): string =>
    ofRefinement && all.some((other) => other.program === refine) ? refine : program;
  // "Not -h,-k,l but h,-h-k,-l": the requested one counts.
  const gives = ({ key, value }: FoundValue): boolean =>
    value === false && all.some((other) => other.key === key && typeof other.value === 'string');
  for (const one of followed) {
    const { words } = one.sentence;
    for (const found of one.values.values) {
      draft.used.add(one);
      const { key, value, start, end } = found;
      if (gives(found)) draft.leavesOut(`program_settings.${owner(found)}.${key}`, words.slice(start, end), words);
      else draft.setting(owner(found), key, value, words);
    }
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
