import { directivesSchema } from '../guidance/directives';
import { longestAdvice } from '../guidance/guidance';
import { experimentTypes } from './cycle';
import { requestedLigandsSchema } from './ligands';
import {
  choice,
  closed,
  flag,
  integer,
  list,
  record,
  text,
  partial,
  type Described,
  type Schema,
} from '../schema/schema';
import { folderName, folderNameAllowed, ordinal, path } from '../schema/schema-fields';
import { settingsRequestSchema } from '../service/settings';
import { priorities, priorityOf } from '../launches/shares';

const oneLine = { pattern: '^[^\\p{Cc}]*$', 'x-allowed': 'one line of text' } as const;

/** Text fields of a submission; the record keeps them unchanged. */
export const submitted = {
  title: text('display name; default: name of the first file', { default: '', maxLength: 200, ...oneLine }),
  proposal: text('proposal of the data; results are in a folder of this name', {
    default: 'none',
    maxLength: 64,
    pattern: `^${folderName}$`,
    'x-allowed': folderNameAllowed,
  }),
  beamline: text('beamline or microscope', {
    default: '',
    maxLength: 64,
    pattern: `^$|^${folderName}$`,
    'x-allowed': folderNameAllowed,
  }),
  submitter: text('name of the submitter', { default: '', maxLength: 200, ...oneLine }),
  priority: priorityOf,
  advice: text('advice in plain words (docs/advice.md); the response shows how it is interpreted', {
    default: '',
    maxLength: longestAdvice,
    // A NUL ends strings in the programs that would read it.
    pattern: '^[^\\u0000]*$',
    'x-allowed': 'text without NUL characters',
  }),
} as const;

/** Optional, so that records of older releases stay as they are. */
export const sampleText = text('sample name used by the laboratory or beamline', {
  minLength: 1,
  maxLength: 200,
  ...oneLine,
});

/** Informational; the file itself is not opened. */
const adviceFile = text('name of the file with the advice', { maxLength: 200, ...oneLine });

const filePaths = (what: string) =>
  list(text(undefined, { minLength: 1, 'x-allowed': 'an absolute path' }), what, {
    minItems: 1,
    'x-allowed': 'a list of absolute paths',
  });

/** The request for a new session. */
export const submissionSchema = closed(
  record(
    'Submission',
    {},
    {
      files: filePaths('absolute paths below the data folders'),
      input_directory: path(
        'a folder below the data folders; its data, models, sequences, dictionaries and README are found',
      ),
      ...submitted,
      sample: sampleText,
      advice_file: adviceFile,
      strict: flag('true: reject the submission if a file would not be used', { default: false }),
      ligands: requestedLigandsSchema,
      settings: settingsRequestSchema,
      directives: directivesSchema,
    },
  ),
);
export type Submission = Described<typeof submissionSchema>;

/** The request for a resume. Settings: changed ones only. Directives and ligands replace all existing ones; absent, they stay. */
export const resumptionSchema = partial('Resumption', {
  files: filePaths('more files: absolute paths below the data folders'),
  advice: submitted.advice,
  advice_file: adviceFile,
  ligands: requestedLigandsSchema,
  settings: settingsRequestSchema,
  directives: directivesSchema,
});

/** The request for a fork: absent members are those of the session. Settings: changed ones only. */
export const forkRequestSchema = closed(
  record(
    'ForkRequest',
    { cycle: ordinal('the fork continues after this finished cycle') },
    {
      title: submitted.title,
      advice: submitted.advice,
      advice_file: adviceFile,
      ligands: requestedLigandsSchema,
      settings: settingsRequestSchema,
      directives: directivesSchema,
      priority: choice(priorities, 'priority of its programs in the queue for a slot'),
    },
  ),
);
export type ForkRequest = Described<typeof forkRequestSchema>;

/** The request to change advice: absent members stay. */
export const adviceChangeSchema = partial('AdviceChange', {
  advice: submitted.advice,
  advice_file: adviceFile,
  directives: directivesSchema,
});

/** Advice to be previewed. */
export const readingRequestSchema = closed(
  record(
    'ReadingRequest',
    { advice: submitted.advice },
    { experiment: choice(experimentTypes, 'absent: as the advice states') },
  ),
);

/** The new priority of a session. */
export const priorityRequestSchema = closed(
  record('PriorityRequest', { priority: choice(priorities, 'new priority of its programs in the queue for a slot') }),
);

/** @param most number of cycles */
export const cycleRemovalOf = (most = Number.MAX_SAFE_INTEGER): Schema<{ readonly count: number }> =>
  closed(
    record('CycleRemoval', {
      count: integer('number of last cycles to remove', {
        minimum: 1,
        maximum: most,
        ...(most === 0 && { 'x-allowed': 'nothing, for the session has no cycles' }),
      }),
    }),
  );
export const cycleRemovalSchema = cycleRemovalOf();
