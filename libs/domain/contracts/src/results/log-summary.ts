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

const logSummaryPartSchema = writtenPartSchema('LogSummaryPart', logSummaryParts, 'a part of the summary of a log');
export type LogSummaryPart = Described<typeof logSummaryPartSchema>;

const summarised = { cycle: ordinal('attempt that wrote the log'), writtenAt: time() } as const;
const partsOf = (what: string) => list(logSummaryPartSchema, what, { maxItems: logSummaryParts.length });

/** A model's summary of a log as stored in the folder of the session: its text, or why there is none. */
export const storedLogSummarySchema = record(summarised, {
  parts: partsOf('absent where no model has written any'),
  ...writtenMembers,
  ...unwrittenMembers,
});
export type StoredLogSummary = Described<typeof storedLogSummarySchema>;

export const logSummaryViewSchema = record(
  'LogSummary',
  {
    id: sessionIdText,
    program: programName('program that wrote the log'),
    state: writingState,
    ...summarised,
    writtenBy: writers,
    parts: partsOf('all three parts, in order'),
  },
  { requestedAt: time('time of the request to a model'), ...writtenMembers, ...unwrittenMembers },
  'summary of the log of a finished cycle: outcome, numbers, errors and warnings',
);
export type LogSummaryView = Described<typeof logSummaryViewSchema>;
