import { list, record, type Described } from '../schema/schema';
import { ordinal, programName, time } from '../schema/schema-fields';
import { sessionIdText } from '../sessions/session';
import { unwrittenMembers, writers, writingState, writtenMembers, writtenPartSchema } from './written-text';

/** The parts of the summary of a log, in their order. */
export const logSummaryParts = ['outcome', 'numbers', 'findings'] as const;
export type LogSummaryPartName = (typeof logSummaryParts)[number];

export const logSummaryTitles: Readonly<Record<LogSummaryPartName, string>> = {
  outcome: 'Its outcome',
  numbers: 'Numbers',
  findings: 'Errors and warnings',
};

export const logSummaryPartSchema = writtenPartSchema(
  'LogSummaryPart',
  logSummaryParts,
  'a part of the summary of a log',
);
export type LogSummaryPart = Described<typeof logSummaryPartSchema>;

const summarised = { cycle: ordinal('whose log it is of'), writtenAt: time() } as const;
const partsOf = (what: string) => list(logSummaryPartSchema, what, { maxItems: logSummaryParts.length });

/** A model's summary of a log as stored in the folder of the session: its text, or why there is none. */
export const keptLogSummarySchema = record(summarised, {
  parts: partsOf('absent where no model has written any'),
  ...writtenMembers,
  ...unwrittenMembers,
});
export type KeptLogSummary = Described<typeof keptLogSummarySchema>;

export const logSummaryViewSchema = record(
  'LogSummary',
  {
    id: sessionIdText,
    program: programName('which wrote the log'),
    state: writingState,
    ...summarised,
    writtenBy: writers,
    parts: partsOf('all three, in their order'),
  },
  { requestedAt: time('since when a model is to write it'), ...writtenMembers, ...unwrittenMembers },
  'what the log of a finished cycle says: the outcome of the run, its numbers, errors and warnings',
);
export type LogSummaryView = Described<typeof logSummaryViewSchema>;
