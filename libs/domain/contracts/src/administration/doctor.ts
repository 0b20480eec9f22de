import { choice, list, record, text, type Described } from '../schema/schema';
import { time } from '../schema/schema-fields';

export const findingLevels = ['ok', 'warning', 'error'] as const;
/**
 * - `ok`: no problem;
 * - `warning`: it works, but not always or not well;
 * - `error`: data are lost or work is blocked until it is fixed.
 */
export type FindingLevel = (typeof findingLevels)[number];

export const findingSchema = record(
  'Finding',
  {
    check: text('what was looked at, such as `redis.eviction`; stays the same from release to release'),
    level: choice(findingLevels),
    seen: text('what was found, in one sentence'),
  },
  { why: text('why it matters'), remedy: text('what to do') },
  'one look at a site; with why and remedy unless all is well',
);
export type Finding = Described<typeof findingSchema>;

export const checkupSchema = record('Checkup', {
  at: time(),
  by: text('the machine or pod that looked'),
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
    askedBy: text('who asked for it; empty: nobody was named'),
    findings: list(findingSchema, 'what was found; empty until it is done'),
  },
  { executor: text('the machine or pod of the executor that started it'), endedAt: time() },
  'a trial: pods (locally: a process) that are started as programs are, only to see what a program would see',
);
export type Trial = Described<typeof trialSchema>;

export const trialAnswerSchema = record('TrialAnswer', {}, { trial: trialSchema }, 'absent: none was asked for');
export type TrialAnswer = Described<typeof trialAnswerSchema>;
