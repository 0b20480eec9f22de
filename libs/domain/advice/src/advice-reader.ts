import { parseDirectives, type AdviceReading, type ProgramSettings } from '@fleet/contracts/guidance';
import { checkSettings, type RuleBook } from '@fleet/knowledge-model';
import { readAdvice, type AdviceContext } from './read-advice';

type AdviceBook = Pick<RuleBook, 'advice' | 'programs'>;

const settingsOf = (settings: ProgramSettings | undefined): object =>
  settings === undefined ? {} : { program_settings: settings };

/**
 * Reads a text like `readAdvice`, and removes everything that would be invalid as structured directives, so that the same validation applies
 * to all records.
 */
export const checkedReading = (raw: string, book: AdviceBook, context: AdviceContext = {}): AdviceReading => {
  const reading = readAdvice(raw, book, context);
  const { directives, problems } = parseDirectives(reading.directives, new Set(Object.keys(book.programs)));
  const checked = checkSettings(directives.program_settings ?? {}, book.programs, 'directives.program_settings');
  const wrong = [...problems, ...checked.problems];
  if (wrong.length === 0) return reading;
  const refused = wrong.map(({ field, reason }) => ({ words: field, why: reason }));
  const settings = directives.program_settings === undefined ? undefined : checked.settings;
  return {
    ...reading,
    directives: { ...directives, ...settingsOf(settings) },
    understood: reading.understood.filter(({ field }) => !wrong.some((one) => one.field === `directives.${field}`)),
    notFollowed: [...reading.notFollowed, ...refused],
  };
};
