import { choice, list, record, text, type Described, type Schema } from '../schema/schema';
import { count } from '../schema/schema-fields';
import { turnFailureCodes } from '../models/models';

const unsupportedNumberSchema = record(
  'UnsupportedNumber',
  { text: text('the number as written'), at: count('position in the part, in characters') },
  {},
  "a number in a model's text that does not occur in the session",
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
      text: text('one line of plain text without hidden characters; may quote the submitter and programs', {
        maxLength: 20_000,
      }),
    },
    {
      unsupported: list(
        unsupportedNumberSchema,
        "numbers in a model's text that do not occur in the session, in order; absent: none",
        { maxItems: 1_000 },
      ),
    },
    what,
  );

/** Why no model has written it: a code of a turn, or an error of the service. */
const writingFailures = [...turnFailureCodes, 'error'] as const;

/** Members of a text that a model has written. */
export const writtenMembers = {
  target: text('target of the model that wrote it', { maxLength: 200 }),
  model: text('name of the model', { maxLength: 200 }),
  hash: text('SHA-256 of the prompt; `models/` in the session folder has the raw reply', { maxLength: 64 }),
} as const;
/** Members of a requested text that no model has written. */
export const unwrittenMembers = {
  failed: choice(writingFailures, 'why no model wrote it'),
  why: text('the reason in one sentence', { maxLength: 1_000 }),
} as const;

/**
 * - `ready`: it exists, until it is requested again;
 * - `pending`: it was requested, and no model has answered yet;
 * - `failed`: it was requested, and no model could write it.
 */
const writingStates = ['ready', 'pending', 'failed'] as const;
export const writingState = choice(
  writingStates,
  'ready: no request is open; pending: a model has not answered yet; failed: no model answered. The text is by the rules unless a model is named',
);
export const writers = choice(['rules', 'model']);
