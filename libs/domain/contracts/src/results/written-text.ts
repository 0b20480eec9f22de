import { choice, list, record, text, type Described, type Schema } from '../schema/schema';
import { count } from '../schema/schema-fields';
import { turnFailureCodes } from '../models/models';

const unsupportedNumberSchema = record(
  { text: text('as it stands there'), at: count('characters of the part before it') },
  {},
  "a number of a model's text that is none of the session's",
);
export type UnsupportedNumber = Described<typeof unsupportedNumberSchema>;

export interface WrittenPart<P extends string> {
  readonly part: P;
  readonly title: string;
  /** One line. */
  readonly text: string;
  readonly unsupported?: readonly UnsupportedNumber[];
}

/** A part of a text that models, or the rules instead, write on demand. @param title its name in the OpenAPI document */
export const writtenPartSchema = <P extends string>(
  title: string,
  parts: readonly P[],
  what: string,
): Schema<WrittenPart<P>> =>
  record(
    title,
    {
      part: choice(parts),
      title: text(),
      text: text('plain text in one line, without hidden characters; it may quote the submitter and programs', {
        maxLength: 20_000,
      }),
    },
    {
      unsupported: list(
        unsupportedNumberSchema,
        "numbers of a model's text that this service does not find, in their order; absent: there is none",
        { maxItems: 1_000 },
      ),
    },
    what,
  );

/** Why no model has written it: a code of a turn, or an error of the service. */
const writingFailures = [...turnFailureCodes, 'error'] as const;

/** Members of a text that a model has written. */
export const writtenMembers = {
  target: text('the target whose model wrote it', { maxLength: 200 }),
  model: text('its model', { maxLength: 200 }),
  hash: text('of what was asked, SHA-256; `models/` in the folder of the session has the raw reply', { maxLength: 64 }),
} as const;
/** Members of a requested text that no model has written. */
export const unwrittenMembers = {
  failed: choice(writingFailures, 'why no model has written it'),
  why: text('the same in a sentence', { maxLength: 1_000 }),
} as const;

/**
 * - `ready`: it exists, until it is requested again;
 * - `pending`: it was requested, and no model has answered yet;
 * - `failed`: it was requested, and no model could write it.
 */
const writingStates = ['ready', 'pending', 'failed'] as const;
export const writingState = choice(
  writingStates,
  'ready: it is as it stays until one is asked for; pending: a model has not written it yet; failed: no model has. Unless a model has written it, the rules have',
);
export const writers = choice(['rules', 'model']);
