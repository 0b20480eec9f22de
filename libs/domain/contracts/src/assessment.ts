import { choice, list, record, text, type Described } from './schema';
import { count, time } from './schema-fields';
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

export const assessmentPartSchema = record(
  {
    part: choice(assessmentParts),
    title: text(),
    text: text('plain text in one line; it may quote the submitter and programs'),
  },
  {},
  'a part of an assessment',
);
export type AssessmentPart = Described<typeof assessmentPartSchema>;

export const assessmentViewSchema = record(
  {
    id: sessionIdText,
    status: choice(sessionStatuses, 'of the session, as it was assessed'),
    version: count('of the session, as it was assessed'),
    writtenBy: choice(['rules']),
    writtenAt: time(),
    parts: list(assessmentPartSchema, 'all five, in their order'),
  },
  {},
  'what a session is worth: its data, its way, where it stands, and what to do next',
);
export type AssessmentView = Described<typeof assessmentViewSchema>;
