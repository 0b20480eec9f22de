import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import {
  isUploadName,
  mistakesIn,
  shown,
  uploadNameAllowed,
  uploadWishSchema,
  type UploadRules,
  type UploadWish,
} from '@fleet/contracts';
import { ApiError } from '../errors/problem-details';
import { ProblemList } from '../submission/problem-list';

/** The version of tus that is spoken. */
export const tusVersion = '1.0.0';

/** @throws ApiError `upload.version` */
export const checkVersion = ({ 'tus-resumable': version }: IncomingHttpHeaders): void => {
  if (version === tusVersion) return;
  throw new ApiError('upload.version', `The header Tus-Resumable has to be ${tusVersion}; nothing was done.`);
};

const wholeNumber = /^(?:0|[1-9]\d{0,15})$/;

/** A whole number in a header; undefined where it is none. */
const numberIn = (headers: IncomingHttpHeaders, name: string): number | undefined => {
  const text = headers[name];
  return typeof text === 'string' && wholeNumber.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : undefined;
};

const invalid = (problems: ProblemList): ApiError =>
  new ApiError('request.invalid', 'The headers of this request cannot be accepted; nothing was done.', problems.all);

/**
 * From where on a piece is.
 * @throws ApiError `request.invalid`
 */
export const readOffset = (headers: IncomingHttpHeaders): number => {
  const offset = numberIn(headers, 'upload-offset');
  if (offset !== undefined) return offset;
  const problems = new ProblemList();
  problems.add('field.value', 'Upload-Offset', 'is not a number of bytes', 'a whole number from 0 on');
  throw invalid(problems);
};

/** How long a body says that it is, in bytes; undefined: it does not say. */
export const lengthOf = (headers: IncomingHttpHeaders): number | undefined => numberIn(headers, 'content-length');

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

const decoded = (value: string): string | undefined => {
  const bytes = Buffer.from(value, 'base64');
  return base64.test(value) && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
};

/** Pairs of a name and a text in base64, with commas between them. What clients say beside what is asked for is left unread. */
const readMetadata = (header: string, problems: ProblemList): Readonly<Record<string, string>> => {
  const asked = Object.keys(uploadWishSchema.properties ?? {});
  const said = new Map<string, string>();
  for (const pair of header.split(',')) {
    const [name = '', value = ''] = pair.trim().split(' ');
    if (!asked.includes(name)) continue;
    const text = decoded(value);
    if (text === undefined)
      problems.add('field.value', `Upload-Metadata.${name}`, 'is not readable', 'base64 of a text in UTF-8');
    else if (said.has(name)) problems.add('field.value', `Upload-Metadata.${name}`, 'is said twice', 'once');
    else said.set(name, text);
  }
  return Object.fromEntries(said);
};

const checkName = (name: string, problems: ProblemList): void => {
  if (!isUploadName(name))
    problems.add('file.bad_name', 'Upload-Metadata.filename', `${shown(name)} is not accepted`, uploadNameAllowed);
};

/** What somebody wants to upload. */
export interface AskedUpload {
  readonly wish: UploadWish;
  /** Bytes. */
  readonly size: number;
}

/**
 * Reads the headers that begin an upload.
 * @throws ApiError `request.invalid` with everything that is wrong, `upload.too_large`
 */
export const readUpload = (headers: IncomingHttpHeaders, { maxFileBytes }: UploadRules): AskedUpload => {
  const problems = new ProblemList();
  const size = numberIn(headers, 'upload-length') ?? 0;
  if (size === 0)
    problems.add('field.value', 'Upload-Length', 'is not a number of bytes', `1 to ${String(maxFileBytes)}`);
  const metadata = headers['upload-metadata'];
  const wish = readMetadata(typeof metadata === 'string' ? metadata : '', problems) as UploadWish;
  for (const mistake of mistakesIn(uploadWishSchema, wish, { at: 'Upload-Metadata' })) problems.addMistake(mistake);
  if (problems.isEmpty) checkName(wish.filename, problems);
  if (!problems.isEmpty) throw invalid(problems);
  if (size <= maxFileBytes) return { wish, size };
  const most = `at most ${String(maxFileBytes)} bytes`;
  throw new ApiError(
    'upload.too_large',
    `${shown(wish.filename)} has ${String(size)} bytes, and a file may have ${most}.`,
    [{ field: 'Upload-Length', reason: 'is more than a file may have', allowed: most, code: 'field.value' }],
  );
};
