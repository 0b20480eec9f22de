import { choice, list, record, text, type Described } from './schema';
import { count, time } from './schema-fields';
import { turnFailureCodes } from './models';
import { sessionIdText, sessionStatuses } from './session';

/** The parts of an assessment, in their order. */
export const assessmentParts = [
  'input_quality',
  'goal_and_strategy',
  'strategy_assessment',
  'current_status',
  'next_steps',
] as const;
export type AssessmentPartName = (typeof assessmentParts)[number];

export const assessmentTitles: Readonly<Record<AssessmentPartName, string>> = {
  input_quality: 'Input data quality',
  goal_and_strategy: 'Goal and strategy',
  strategy_assessment: 'Assessment of the strategy',
  current_status: 'Current status',
  next_steps: 'Next steps',
};

const unsupportedNumberSchema = record(
  { text: text('as it stands there'), at: count('characters of the part before it') },
  {},
  "a number of a model's text that is none of the session's",
);
export type UnsupportedNumber = Described<typeof unsupportedNumberSchema>;

export const assessmentPartSchema = record(
  {
    part: choice(assessmentParts),
    title: text(),
    text: text('plain text in one line, without hidden characters; it may quote the submitter and programs', {
      maxLength: 20_000,
    }),
  },
  {
    unsupported: list(
      unsupportedNumberSchema,
      "numbers of a model's text that are none of the session's, in their order; absent: there is none",
      { maxItems: 1_000 },
    ),
  },
  'a part of an assessment',
);
export type AssessmentPart = Described<typeof assessmentPartSchema>;

/** Why no model has written one: a code of a turn, or the service itself. */
const assessmentFailures = [...turnFailureCodes, 'error'] as const;

const assessed = {
  status: choice(sessionStatuses, 'of the session, as it was assessed'),
  version: count('of the session, as it was assessed'),
  writtenAt: time(),
} as const;
const written = {
  target: text('the target whose model wrote it', { maxLength: 200 }),
  model: text('its model', { maxLength: 200 }),
  hash: text('of what was asked, SHA-256; `models/` in the folder of the session has the raw reply', { maxLength: 64 }),
} as const;
const unwritten = {
  failed: choice(assessmentFailures, 'why no model has written it'),
  why: text('the same in a sentence', { maxLength: 1_000 }),
} as const;
const partsOf = (what: string) => list(assessmentPartSchema, what, { maxItems: assessmentParts.length });

/** What models made of a wish for an assessment, as it is kept in the folder of the session: their words, or why there are none. */
export const keptAssessmentSchema = record(assessed, {
  parts: partsOf('absent where no model has written any'),
  ...written,
  ...unwritten,
});
export type KeptAssessment = Described<typeof keptAssessmentSchema>;

/**
 * - `ready`: it is as it will be, until it is asked for again;
 * - `asked`: a model is to write one, and has not yet;
 * - `failed`: a model was to write one, and none did.
 */
const assessmentStates = ['ready', 'asked', 'failed'] as const;

export const assessmentViewSchema = record(
  {
    id: sessionIdText,
    state: choice(
      assessmentStates,
      'ready: it is as it stays until one is asked for; asked: a model has not written it yet; failed: no model has. Unless a model has written it, the rules have',
    ),
    ...assessed,
    writtenBy: choice(['rules', 'model']),
    parts: partsOf('all five, in their order'),
  },
  { askedAt: time('since when a model is to write it'), ...written, ...unwritten },
  'what a session is worth: its data, its way, where it stands, and what to do next',
);
export type AssessmentView = Described<typeof assessmentViewSchema>;
