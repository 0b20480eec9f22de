import { directivesSchema } from './directives';
import { turnFailureCodes } from '../models/models';
import { choice, flag, mark, record, text, type Described, type Schema } from '../schema/schema';
import { count, entries, line, ordinal, programName, time, type StrategyValue } from '../schema/schema-fields';

/** Maximum length of the advice. */
export const longestAdvice = 20_000;

const adviceSourceSchema = record(
  { from: choice(['text', 'file', 'readme']), text: text('as it was given', { maxLength: longestAdvice }) },
  { file: line('name of the file that it was read from'), cut: mark('only its beginning was read') },
  'where advice in plain words comes from',
);
export type AdviceSource = Described<typeof adviceSourceSchema>;

const directiveValue: Schema<StrategyValue | readonly string[]> = {
  type: ['string', 'number', 'boolean', 'array'],
  items: { type: 'string' },
};

const toldWords = (what: string) => entries(record({ words: text(), why: text() }), what);

export const adviceReadingSchema = record(
  'AdviceReading',
  {
    text: text('the text that was read: cleaned'),
    removed: toldWords('what was taken out of the text before it was read, and why'),
    directives: directivesSchema,
    stopsNow: flag('the text says "stop" and nothing else'),
    stepByStep: flag('predictions are processed and placed step by step'),
    understood: entries(
      record(
        {
          field: text('path in the directives, for example `stop_conditions.after_program`'),
          value: directiveValue,
          words: text('of the text, which say so'),
          says: text('what will happen, in one sentence'),
        },
        { by: choice(['model'], 'a language model read it; absent: the rules') },
      ),
    ),
    conflicts: entries(text(), 'what contradicts itself, and what will happen, one sentence each'),
    notFollowed: toldWords('what no rule follows, and why'),
  },
  {
    requestedPrograms: entries(
      record({ program: programName(), times: ordinal() }),
      'programs that the text requests, in its order; absent: none',
    ),
  },
  'what was understood of advice in plain words',
);
export type AdviceReading = Described<typeof adviceReadingSchema>;

const modelReadingSchema = record(
  {
    prompt: text('id and version of the prompt: `directives 1`'),
    requests: count('that were made, failed ones too; 0: the reply was there from an earlier try of this step'),
  },
  {
    target: text('name of the target whose model read it; absent: the rules read it alone'),
    model: text('its model'),
    hash: text('of what was asked, SHA-256, hexadecimal: `models/` in the folder of the session has the raw reply'),
    dropped: toldWords(
      'what the model read and the text does not support, and why it is not followed; absent: nothing',
    ),
    failed: choice(turnFailureCodes, 'why no model read it'),
    why: text('the same in words'),
  },
  'what models had to do with the reading; absent: none was asked',
);
export type ModelReading = Described<typeof modelReadingSchema>;

export const guidanceSchema = record(
  'Guidance',
  {
    revision: ordinal('1: of the submission; grows by one with every change'),
    at: time(),
    sources: entries(adviceSourceSchema, 'the advice in plain words, as it was given; the first counts most'),
    hash: text('SHA-256 of the text that was read, hexadecimal; empty where nothing was said'),
    reader: choice(['rules', 'model'], 'who read it; model: the rules, and a language model beside them'),
    reading: adviceReadingSchema,
    overruled: entries(text(), 'which value took the place of which, one sentence each'),
  },
  {
    modelReading: modelReadingSchema,
    directives: directivesSchema,
    directivesSince: ordinal('revision with which the client gave the directives; absent: there are none'),
    changedAfter: count('the submitter said something new after this cycle (0: before the first)'),
    endsAfter: count('"stop" was all that was said: the session ends when so many cycles are done'),
  },
  'what is asked for: the advice in plain words with what was understood of it, and the directives that the client gave',
);
export type Guidance = Described<typeof guidanceSchema>;

/** The reading of an empty advice. */
export const emptyReading: AdviceReading = {
  text: '',
  removed: [],
  directives: {},
  stopsNow: false,
  stepByStep: false,
  understood: [],
  conflicts: [],
  notFollowed: [],
};
