import { closed, list, record, scalar, text, choice, type Described } from '@fleet/contracts/schema';

/** The answer of a model. All members are required, as targets with schema enforcement need it. */
export const planAnswerSchema = closed(
  record({
    program: text('a program of the menu'),
    reasons: text('why, in at most three sentences that name the numbers'),
    strategy: list(record({ key: text(), value: scalar() }), 'values for keys of the program; usually none'),
    confidence: choice(['high', 'medium', 'low']),
  }),
);
export type PlanAnswer = Described<typeof planAnswerSchema>;
