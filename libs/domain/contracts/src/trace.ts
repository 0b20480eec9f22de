import { choice, list, number, record, text, type Described } from './schema';
import { count, line, time } from './schema-fields';
import { sessionIdText, sessionStatuses } from './session';

/**
 * - `cycle`: one decision, one program, one analysis;
 * - `decision`: which program runs next; with it the requests to models, where there were any;
 * - `request`: one of these, as the ledger has it;
 * - `wait`: a program could not start yet;
 * - `program`: one attempt to run it;
 * - `analysis`: its log and its files are read.
 */
export const operationKinds = ['cycle', 'decision', 'request', 'wait', 'program', 'analysis'] as const;
export type OperationKind = (typeof operationKinds)[number];

export const spentSchema = record(
  {
    requests: count('to models'),
    inputTokens: count('that targets have counted'),
    outputTokens: count(),
    cost: number("in the currency of the site's prices"),
    uncounted: count('requests whose cost nobody knows; `cost` is without them'),
  },
  {},
  'what requests to models have used',
);
export type Spent = Described<typeof spentSchema>;

export const operationSchema = record(
  {
    path: text('where it stands: `2` is cycle 2, `2.1` its first operation, `2.1.3` the third in that'),
    kind: choice(operationKinds),
    what: line('in a few words: a program, a target and its model'),
    status: choice(['open', 'done', 'failed']),
  },
  {
    startedAt: time('absent where nobody has written it down'),
    endedAt: time(),
    note: text('what came of it, in a sentence'),
    hash: text('of a request: SHA-256 of what was asked; `models/` in the folder of the session has the raw reply'),
    spent: spentSchema,
  },
  'something that a session did',
);
export type Operation = Described<typeof operationSchema>;

export const traceSchema = record(
  {
    id: sessionIdText,
    status: choice(sessionStatuses),
    startedAt: time('when it was submitted'),
    operations: list(operationSchema, 'each behind the one that it is part of; cycles in their order'),
    spent: spentSchema,
  },
  { endedAt: time() },
  'all operations of a session, from its record and the ledger of its requests to models',
);
export type TraceView = Described<typeof traceSchema>;
