import { closed, list, record, scalar, text, choice, type Described } from '@fleet/contracts/schema';

/** What a model answers. Every member is there, as targets that are held to a schema want it. */
export const planAnswerSchema = closed(
  record({
    program: text('a program of the menu'),
    reasons: text('why, in at most three sentences that name the numbers'),
    strategy: list(record({ key: text(), value: scalar() }), 'values for keys of the program; usually none'),
    confidence: choice(['high', 'medium', 'low']),
  }),
);
export type PlanAnswer = Described<typeof planAnswerSchema>;
