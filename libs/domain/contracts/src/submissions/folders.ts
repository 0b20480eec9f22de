import { apiProblemSchema } from '../sessions/answers';
import { firstStepSchema } from '../batches/batches';
import { fileFormats, fileUseSchema } from '../sessions/file-facts';
import { guidanceSchema } from '../guidance/guidance';
import { choice, list, mark, record, text, type Described } from '../schema/schema';
import { count, time } from '../schema/schema-fields';

/** A file or folder to choose from for a submission. */

const folderEntrySchema = record(
  {
    name: text('name; for a data folder its full path'),
    path: text('absolute path, as used in a submission'),
    kind: choice(['folder', 'file']),
  },
  {
    size: count('size of a file in bytes'),
    changedAt: time('for a file only'),
    likely: mark('kind of data by file extension; the content was not inspected'),
  },
  'an entry of a folder',
);
export type FolderEntry = Described<typeof folderEntrySchema>;

export const folderViewSchema = record(
  'Folder',
  {
    path: text('resolved path; empty: the list of data folders'),
    entries: list(folderEntrySchema, 'folders first, then files, by name; hidden names are omitted'),
    skipped: count('entries of this page that were skipped: links that leave the data folders, and special files'),
  },
  {
    above: text('parent folder; absent for a data folder'),
    nextCursor: text('pass it as ?cursor= to continue; absent on the last page'),
    more: mark('the folder has more entries than are listed; submit the others by their path'),
  },
  'a folder with submittable data',
);
export type FolderView = Described<typeof folderViewSchema>;

const fileReadingSchema = record(
  {
    path: text('resolved path'),
    size: count('size in bytes'),
    format: choice(fileFormats, 'facts about its content'),
    categories: list(
      record({ category: text(), why: text() }),
      'category of the file, and why (knowledge/file_categories.yaml)',
    ),
  },
  { use: fileUseSchema },
  'an inspected file',
);

export const submissionReadingSchema = record(
  'SubmissionReading',
  {
    files: list(fileReadingSchema, 'readable files'),
    problems: list(apiProblemSchema, 'problems for which it would be rejected; empty: it would be accepted'),
  },
  { guidance: guidanceSchema, first: firstStepSchema },
  'preview of a submission; nothing is started or stored',
);
export type SubmissionReading = Described<typeof submissionReadingSchema>;
