import { choice, closed, flag, record, text, type Described, type Schema } from '../schema/schema';
import { count, folderName, folderNameAllowed, line, path, time } from '../schema/schema-fields';

/** Folder for incomplete uploads, in the folder of their proposal: it is in no list, and no submission can use it. */
export const incomingFolder = '.phenix-fleet-uploads';

/** Maximum length of a name, in bytes of UTF-8: with the prefix of an incomplete upload it still fits a file system. */
const longestName = 200;
/** Invisible characters, and those that change how the rest is read: controls, text direction, surrogates, line ends, private use. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** Valid names of uploads, in words. */
export const uploadNameAllowed = `a name of 1 to ${String(longestName)} bytes in UTF-8 (NFC), without "/", "\\" and characters that are not seen, that neither begins with "." or a blank nor ends with a blank`;

/** Whether a name is valid for an upload. */
export const isUploadName = (name: string): boolean =>
  name !== '' &&
  new TextEncoder().encode(name).length <= longestName &&
  name === name.normalize('NFC') &&
  !unseen.test(name) &&
  !/[/\\]/.test(name) &&
  !name.startsWith('.') &&
  name === name.trim();

const sha256 = (what: string): Schema<string> =>
  text(what, { pattern: '^[0-9a-f]{64}$', 'x-allowed': '64 hexadecimal digits' });

const proposal = text('to which it belongs', {
  maxLength: 64,
  pattern: `^${folderName}$`,
  'x-allowed': folderNameAllowed,
});

/** The metadata of an upload. */
export const uploadRequestSchema = closed(
  record(
    {
      filename: text('what it is to be called'),
      proposal,
    },
    { sha256: sha256('of the whole file') },
  ),
);
export type UploadRequest = Described<typeof uploadRequestSchema>;

/**
 * - `receiving`: more bytes are expected from `offset` on;
 * - `complete`: it is at `path` and can be submitted;
 * - `refused`: it was received completely, rejected and deleted.
 */
const uploadStates = ['receiving', 'complete', 'refused'] as const;

const members = {
  id: text('of 32 hexadecimal digits', { pattern: '^[0-9a-f]{32}$', 'x-allowed': '32 hexadecimal digits' }),
  proposal: text(),
  name: text('what it is called'),
  size: count('bytes that it has as a whole'),
  offset: count('bytes that are kept'),
  state: choice(uploadStates),
  expiresAt: time('after it nothing is known of it any more; what is not whole then is removed. Each piece moves it'),
} as const;
const toldLater = {
  path: path('where it lies; what a submission names'),
  sha256: sha256('of what came, in hex'),
  problem: line('why it was refused'),
} as const;

/** The view of an upload. */
export const uploadViewSchema = record('Upload', members, toldLater, 'a file that is uploaded');
export type UploadView = Described<typeof uploadViewSchema>;

/** A stored upload. */
export const uploadSchema = record(
  {
    ...members,
    proposal,
    version: count('changes of this record'),
    by: text('who began it; empty: nobody was asked'),
    file: text('its name in the incoming folder; empty: none was made yet', { pattern: '^[^/\\u0000]*$' }),
    writing: flag('somebody has begun to write to that file, and has not said that they ended'),
  },
  { ...toldLater, expected: sha256('of the whole file, as its sender says') },
);
export type Upload = Described<typeof uploadSchema>;

/** The upload limits of a site. */
export const uploadRulesSchema = record(
  'UploadRules',
  {
    maxFileBytes: count('bytes of the largest file'),
    maxDayBytes: count('bytes that may be uploaded to one proposal in a day'),
    keepHours: count('hours that a file that is not whole is kept after its last piece'),
  },
  {},
  'what may be uploaded here',
);
export type UploadRules = Described<typeof uploadRulesSchema>;

/** Media type of a chunk, as in tus 1.0. For it a web page of another origin needs a preflight request. */
export const chunkType = 'application/offset+octet-stream';
