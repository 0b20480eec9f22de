import { choice, list, record, type Described } from '../schema/schema';
import { count, time } from '../schema/schema-fields';
import { sessionIdText, sessionStatuses } from '../sessions/session';
import { unwrittenMembers, writers, writingState, writtenMembers, writtenPartSchema } from './written-text';

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

export const assessmentPartSchema = writtenPartSchema('AssessmentPart', assessmentParts, 'a part of an assessment');
export type AssessmentPart = Described<typeof assessmentPartSchema>;

const assessed = {
  status: choice(sessionStatuses, 'of the session, as it was assessed'),
  version: count('of the session, as it was assessed'),
  writtenAt: time(),
} as const;
const partsOf = (what: string) => list(assessmentPartSchema, what, { maxItems: assessmentParts.length });

/** A model's assessment as stored in the folder of the session: its text, or why there is none. */
export const keptAssessmentSchema = record(assessed, {
  parts: partsOf('absent where no model has written any'),
  ...writtenMembers,
  ...unwrittenMembers,
});
export type KeptAssessment = Described<typeof keptAssessmentSchema>;

export const assessmentViewSchema = record(
  'Assessment',
  {
    id: sessionIdText,
    state: writingState,
    ...assessed,
    writtenBy: writers,
    parts: partsOf('all five, in their order'),
  },
  { requestedAt: time('since when a model is to write it'), ...writtenMembers, ...unwrittenMembers },
  'what a session is worth: its data, its way, where it stands, and what to do next',
);
export type AssessmentView = Described<typeof assessmentViewSchema>;
