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

const spentSchema = record(
  'Spent',
  {
    requests: count('number of model requests'),
    inputTokens: count('tokens reported by the targets'),
    outputTokens: count(),
    cost: number("cost in the currency of the site's prices"),
    unpriced: count('requests with unknown cost, not included in `cost`'),
  },
  {},
  'usage of language models',
);
export type Spent = Described<typeof spentSchema>;

const operationSchema = record(
  'Operation',
  {
    path: text(
      'path of the operation: `2` is cycle 2, `2.1` its first operation, `2.1.3` the third part of that; `a1` is the first assessment',
    ),
    kind: choice(operationKinds),
    what: line('short label: a program, or a target with its model'),
    status: choice(['open', 'done', 'failed']),
  },
  {
    startedAt: time('absent: not recorded'),
    endedAt: time(),
    note: text('outcome in one sentence'),
    hash: text('of a model request: SHA-256 of the prompt; `models/` in the session folder has the raw reply'),
    spent: spentSchema,
  },
  'an operation of a session',
);
export type Operation = Described<typeof operationSchema>;

export const traceSchema = record(
  'Trace',
  {
    id: sessionIdText,
    status: choice(sessionStatuses),
    startedAt: time('time of the submission'),
    operations: list(operationSchema, 'in order of cycles, parts after their parent'),
    spent: spentSchema,
  },
  { endedAt: time() },
  'all operations of a session, from its record and the ledger of model requests',
);
export type TraceView = Described<typeof traceSchema>;

const promptSchema = record(
  'Prompt',
  {
    prompt: text('id and version of the prompt: `plan 1`'),
    hash: text('SHA-256 of the prompt, hexadecimal'),
    used: flag('whether the decision, or the interpretation of the advice, used the reply'),
    requests: count('requests of the ledger with this prompt'),
  },
  {
    messages: list(
      record({ role: choice(modelRoles), text: text() }),
      'messages of the prompt; absent: no stored reply',
    ),
    target: text('model that replied'),
    model: text('name of the model'),
    reply: text('the raw reply'),
    cut: flag('true: the reply exceeded the limit of the target and is cut'),
  },
  'a prompt to language models',
);
export type PromptView = Described<typeof promptSchema>;

export const promptsSchema = record(
  'Prompts',
  { id: sessionIdText, cycle: ordinal(), prompts: list(promptSchema, 'in order of the requests') },
  {},
  'prompts and replies of language models in a cycle',
);
export type PromptsView = Described<typeof promptsSchema>;
