import { directivesSchema } from './directives';
import { turnFailureCodes } from '../models/models';
import { choice, flag, mark, record, text, type Described, type Schema } from '../schema/schema';
import { count, entries, line, ordinal, programName, time, type StrategyValue } from '../schema/schema-fields';

/** Maximum length of the advice. */
export const longestAdvice = 20_000;

const adviceSourceSchema = record(
  { from: choice(['text', 'file', 'readme']), text: text('as given', { maxLength: longestAdvice }) },
  { file: line('name of the source file'), cut: mark('the file was cut') },
  'source of advice in plain words',
);
export type AdviceSource = Described<typeof adviceSourceSchema>;

const directiveValue: Schema<StrategyValue | readonly string[]> = {
  type: ['string', 'number', 'boolean', 'array'],
  items: { type: 'string' },
};

const toldWords = (what: string) => entries(record('AdviceWords', { words: text(), why: text() }), what);

export const adviceReadingSchema = record(
  'AdviceReading',
  {
    text: text('the cleaned text'),
    removed: toldWords('parts of the text that were removed before interpretation, with the reason'),
    directives: directivesSchema,
    stopsNow: flag('the text consists of "stop" only'),
    stepByStep: flag('predicted models are processed and placed step by step'),
    understood: entries(
      record(
        {
          field: text('path in the directives, for example `stop_conditions.after_program`'),
          value: directiveValue,
          words: text('phrases of the text that led to this'),
          says: text('effect, in one sentence'),
        },
        { by: choice(['model'], 'a language model interpreted it; absent: the rules did') },
      ),
    ),
    conflicts: entries(text(), 'contradictions and how they are resolved, one sentence each'),
    notFollowed: toldWords('parts that no rule follows, with the reason'),
  },
  {
    requestedPrograms: entries(
      record({ program: programName(), times: ordinal() }),
      'programs that the text requests, in order; absent: none',
    ),
  },
  'interpretation of advice in plain words',
);
export type AdviceReading = Described<typeof adviceReadingSchema>;

const modelReadingSchema = record(
  {
    prompt: text('id and version of the prompt: `directives 1`'),
    requests: count('number of requests, including failed ones; 0: the reply is from an earlier try of this step'),
  },
  {
    target: text('target of the model that interpreted it; absent: only the rules did'),
    model: text('name of the model'),
    hash: text('SHA-256 of the prompt, hexadecimal; `models/` in the session folder has the raw reply'),
    dropped: toldWords(
      'interpretations of the model that the text does not support, with the reason for ignoring them; absent: none',
    ),
    failed: choice(turnFailureCodes, 'why no model interpreted it'),
    why: text('the reason in one sentence'),
  },
  'role of language models in the interpretation; absent: no model was called',
);
export type ModelReading = Described<typeof modelReadingSchema>;

export const guidanceSchema = record(
  'Guidance',
  {
    revision: ordinal('1 at submission; increases by one with every change'),
    at: time(),
    sources: entries(adviceSourceSchema, 'the advice as given, highest precedence first'),
    hash: text('SHA-256 of the interpreted text, hexadecimal; empty without advice'),
    reader: choice(['rules', 'model'], 'interpreter; model: the rules and a language model'),
    reading: adviceReadingSchema,
    overruled: entries(text(), 'which value replaced which, one sentence each'),
  },
  {
    modelReading: modelReadingSchema,
    directives: directivesSchema,
    directivesSince: ordinal('revision in which the client set the directives; absent: no directives'),
    changedAfter: count('the submitter gave new advice after this cycle (0: before the first)'),
    endsAfter: count('the advice is "stop": the session ends after this number of cycles'),
  },
  'guidance: advice in plain words with its interpretation, and directives from the client',
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
