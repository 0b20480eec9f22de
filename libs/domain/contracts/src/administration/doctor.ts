import { choice, list, record, text, type Described } from '../schema/schema';
import { time } from '../schema/schema-fields';

const findingLevels = ['ok', 'warning', 'error'] as const;
/**
 * - `ok`: no problem;
 * - `warning`: it works, but not always or not well;
 * - `error`: data are lost or work is blocked until it is fixed.
 */
export type FindingLevel = (typeof findingLevels)[number];

const findingSchema = record(
  'Finding',
  {
    check: text('id of the check, such as `redis.eviction`; stable across releases'),
    level: choice(findingLevels),
    seen: text('finding in one sentence'),
  },
  { why: text('why it matters'), remedy: text('what to do') },
  'one check of the site; with `why` and `remedy` if there is a problem',
);
export type Finding = Described<typeof findingSchema>;

export const checkupSchema = record('Checkup', {
  at: time(),
  by: text('machine or pod that made the checks'),
  findings: list(findingSchema),
});
export type CheckupView = Described<typeof checkupSchema>;

/** `given_up`: no executor took it, or finished it, in time; request another one. */
const trialStates = ['waiting', 'running', 'done', 'given_up'] as const;
export type TrialState = (typeof trialStates)[number];

export const trialSchema = record(
  'Trial',
  {
    id: text('its id'),
    state: choice(
      trialStates,
      '`waiting` for an executor, `running`, `done`, or `given_up` after a quarter of an hour',
    ),
    requestedAt: time(),
    askedBy: text('who requested it; empty: not named'),
    findings: list(findingSchema, 'findings; empty until the trial is done'),
  },
  { executor: text('machine or pod of the executor that started it'), endedAt: time() },
  'a trial: test pods (locally: a process) started like programs, to check what a program would see',
);
export type Trial = Described<typeof trialSchema>;

export const trialAnswerSchema = record('TrialAnswer', {}, { trial: trialSchema }, 'absent: none was requested');
export type TrialAnswer = Described<typeof trialAnswerSchema>;
