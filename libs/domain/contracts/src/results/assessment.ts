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

const assessmentPartSchema = writtenPartSchema('AssessmentPart', assessmentParts, 'a part of an assessment');
export type AssessmentPart = Described<typeof assessmentPartSchema>;

const assessed = {
  status: choice(sessionStatuses, 'status of the session when it was assessed'),
  version: count('status of the session when it was assessed'),
  writtenAt: time(),
} as const;
const partsOf = (what: string) => list(assessmentPartSchema, what, { maxItems: assessmentParts.length });

/** A model's assessment as stored in the folder of the session: its text, or why there is none. */
export const storedAssessmentSchema = record(assessed, {
  parts: partsOf('absent where no model has written any'),
  ...writtenMembers,
  ...unwrittenMembers,
});
export type StoredAssessment = Described<typeof storedAssessmentSchema>;

export const assessmentViewSchema = record(
  'Assessment',
  {
    id: sessionIdText,
    state: writingState,
    ...assessed,
    writtenBy: writers,
    parts: partsOf('all five parts, in order'),
  },
  { requestedAt: time('time of the request to a model'), ...writtenMembers, ...unwrittenMembers },
  'assessment of a session: data, strategy, state, and next steps',
);
export type AssessmentView = Described<typeof assessmentViewSchema>;
