import { apiProblemSchema } from '../sessions/answers';
import { firstStepSchema } from '../batches/batches';
import { fileFormats, fileUseSchema } from '../sessions/file-facts';
import { guidanceSchema } from '../guidance/guidance';
import { choice, list, mark, record, text, type Described } from '../schema/schema';
import { count, time } from '../schema/schema-fields';

/** A file or folder to choose from for a submission. */

const folderEntrySchema = record(
  {
    name: text('of a data folder itself its whole path'),
    path: text('absolute; what a submission names'),
    kind: choice(['folder', 'file']),
  },
  {
    size: count('bytes; of a file'),
    changedAt: time('of a file'),
    likely: mark('its ending is one of data, models, sequences or dictionaries; what is in it was not looked at'),
  },
  'what lies in a folder',
);
export type FolderEntry = Described<typeof folderEntrySchema>;

export const folderViewSchema = record(
  'Folder',
  {
    path: text('resolved; empty: these are the data folders'),
    entries: list(folderEntrySchema, 'folders first, each by name; names that begin with a dot are not listed'),
    skipped: count('on this page: links that lead out of the data folders, and what is neither a file nor a folder'),
  },
  {
    above: text('the folder that it lies in; absent of a data folder'),
    nextCursor: text('pass it as ?cursor= to continue; absent on the last page'),
    more: mark('it holds more than is looked at: what is not listed can be named by its path'),
  },
  'a folder from which can be submitted',
);
export type FolderView = Described<typeof folderViewSchema>;

const fileReadingSchema = record(
  {
    path: text('resolved'),
    size: count('bytes'),
    format: choice(fileFormats, 'what it holds'),
    categories: list(
      record({ category: text(), why: text() }),
      'what the agent takes it for, and why (knowledge/file_categories.yaml)',
    ),
  },
  { use: fileUseSchema },
  'a file that was looked into',
);

export const submissionReadingSchema = record(
  'SubmissionReading',
  {
    files: list(fileReadingSchema, 'those that could be read'),
    problems: list(apiProblemSchema, 'everything for which it would be refused; empty: it would be accepted'),
  },
  { guidance: guidanceSchema, first: firstStepSchema },
  'what would become of a submission; nothing was started or kept',
);
export type SubmissionReading = Described<typeof submissionReadingSchema>;
