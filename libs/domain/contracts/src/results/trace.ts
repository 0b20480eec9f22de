import { choice, flag, list, number, record, text, type Described } from '../schema/schema';
import { count, line, ordinal, time } from '../schema/schema-fields';
import { modelRoles } from '../models/models';
import { sessionIdText, sessionStatuses } from '../sessions/session';

/**
 * - `cycle`: one decision, one program, one analysis;
 * - `decision`: which program runs next; contains the requests to models, if any;
 * - `request`: one of these, from the ledger;
 * - `wait`: a program could not start yet;
 * - `program`: one attempt to run it;
 * - `analysis`: reading its log and its files;
 * - `assessment`: a model assessed the session, independent of the cycles.
 */
const operationKinds = ['cycle', 'decision', 'request', 'wait', 'program', 'analysis', 'assessment'] as const;

export const spentSchema = record(
  'Spent',
  {
    requests: count('to models'),
    inputTokens: count('that targets have counted'),
    outputTokens: count(),
    cost: number("in the currency of the site's prices"),
    unpriced: count('requests whose cost nobody knows; `cost` is without them'),
  },
  {},
  'what requests to models have used',
);
export type Spent = Described<typeof spentSchema>;

export const operationSchema = record(
  'Operation',
  {
    path: text(
      'where it stands: `2` is cycle 2, `2.1` its first operation, `2.1.3` the third in that; `a1` is the first assessment',
    ),
    kind: choice(operationKinds),
    what: line('in a few words: a program, a target and its model'),
    status: choice(['open', 'done', 'failed']),
  },
  {
    startedAt: time('absent where nobody has written it down'),
    endedAt: time(),
    note: text('its outcome, in a sentence'),
    hash: text('of a request: SHA-256 of what was asked; `models/` in the folder of the session has the raw reply'),
    spent: spentSchema,
  },
  'something that a session did',
);
export type Operation = Described<typeof operationSchema>;

export const traceSchema = record(
  'Trace',
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

export const promptSchema = record(
  'Prompt',
  {
    prompt: text('id and version of the prompt: `plan 1`'),
    hash: text('of what was asked, SHA-256, hexadecimal'),
    used: flag('whether the reply was followed: by the decision, or in the reading of the advice'),
    requests: count('of the ledger that have asked it'),
  },
  {
    messages: list(
      record({ role: choice(modelRoles), text: text() }),
      'what was asked; absent where no reply was kept',
    ),
    target: text('whose reply it is'),
    model: text('its model'),
    reply: text('as it came, before anybody read it'),
    cut: flag('true: the reply is longer than the target may answer, and ends somewhere'),
  },
  'a question to models',
);
export type PromptView = Described<typeof promptSchema>;

export const promptsSchema = record(
  'Prompts',
  { id: sessionIdText, cycle: ordinal(), prompts: list(promptSchema, 'in the order in which they were asked') },
  {},
  'what models were asked in a cycle, and what they replied',
);
export type PromptsView = Described<typeof promptsSchema>;
