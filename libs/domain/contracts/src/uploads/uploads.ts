import { choice, closed, flag, record, text, type Described } from '../schema/schema';
import { count, folderName, folderNameAllowed, line, path, sha256, time } from '../schema/schema-fields';

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
  id: text('32 hexadecimal digits', { pattern: '^[0-9a-f]{32}$', 'x-allowed': '32 hexadecimal digits' }),
  proposal: text(),
  name: text('file name'),
  size: count('file size in bytes'),
  offset: count('number of bytes received'),
  state: choice(uploadStates),
  expiresAt: time('expiry of the upload: an incomplete file is then removed. Each chunk extends it'),
} as const;
const toldLater = {
  path: path('path of the file, as used in a submission'),
  sha256: sha256('SHA-256 of the received file, hexadecimal'),
  problem: line('why the upload was refused'),
} as const;

/** The view of an upload. */
export const uploadViewSchema = record('Upload', members, toldLater, 'an upload');
export type UploadView = Described<typeof uploadViewSchema>;

/** A stored upload. */
export const uploadSchema = record(
  {
    ...members,
    proposal,
    version: count('changes of this record'),
    by: text('creator; empty: access control is off'),
    file: text('its name in the incoming folder; empty: none was made yet', { pattern: '^[^/\\u0000]*$' }),
    writing: flag('a writer has started and not finished'),
  },
  { ...toldLater, expected: sha256('of the whole file, as its sender says') },
);
export type Upload = Described<typeof uploadSchema>;

/** The upload limits of a site. */
export const uploadRulesSchema = record(
  'UploadRules',
  {
    maxFileBytes: count('maximum file size in bytes'),
    maxDayBytes: count('bytes that may be uploaded per proposal and day'),
    keepHours: count('hours that an incomplete file is kept after its last chunk'),
  },
  {},
  'upload limits of the site',
);
export type UploadRules = Described<typeof uploadRulesSchema>;

/** Media type of a chunk, as in tus 1.0. For it a web page of another origin needs a preflight request. */
export const chunkType = 'application/offset+octet-stream';
