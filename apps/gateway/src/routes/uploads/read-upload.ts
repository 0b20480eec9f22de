import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { mistakesIn, shown } from '@fleet/contracts/schema';
import {
  isUploadName,
  uploadNameAllowed,
  uploadRequestSchema,
  type UploadRules,
  type UploadRequest,
} from '@fleet/contracts/uploads';
import { ProblemList } from '@fleet/problems';
import type { UploadOrder } from '@fleet/uploads';
import { ApiError } from '../../http/errors/problem-details';

/** The supported version of tus. */
export const tusVersion = '1.0.0';

/** @throws ApiError `upload.version` */
export const checkVersion = ({ 'tus-resumable': version }: IncomingHttpHeaders): void => {
  if (version === tusVersion) return;
  throw new ApiError('upload.version', `The header Tus-Resumable must be ${tusVersion}; nothing was done.`);
};

const wholeNumber = /^(?:0|[1-9]\d{0,15})$/;

/** An integer header; undefined if missing or invalid. */
const numberIn = (headers: IncomingHttpHeaders, name: string): number | undefined => {
  const text = headers[name];
  return typeof text === 'string' && wholeNumber.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : undefined;
};

const invalid = (problems: ProblemList): ApiError =>
  new ApiError('request.invalid', 'The headers of this request cannot be accepted; nothing was done.', problems.all);

/**
 * Offset of a chunk, in bytes.
 * @throws ApiError `request.invalid`
 */
export const readOffset = (headers: IncomingHttpHeaders): number => {
  const offset = numberIn(headers, 'upload-offset');
  if (offset !== undefined) return offset;
  const problems = new ProblemList();
  problems.add('field.value', 'Upload-Offset', 'is not a number of bytes', 'an integer of at least 0');
  throw invalid(problems);
};

/** Announced length of a body in bytes; undefined: not announced. */
export const lengthOf = (headers: IncomingHttpHeaders): number | undefined => numberIn(headers, 'content-length');

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

const decoded = (value: string): string | undefined => {
  const bytes = Buffer.from(value, 'base64');
  return base64.test(value) && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
};

/** Comma-separated pairs of a name and a base64 text. Unknown names are ignored. */
const readMetadata = (header: string, problems: ProblemList): Readonly<Record<string, string>> => {
  const known = Object.keys(uploadRequestSchema.properties ?? {});
  const given = new Map<string, string>();
  for (const pair of header.split(',')) {
    const [name = '', value = ''] = pair.trim().split(' ');
    if (!known.includes(name)) continue;
    const text = decoded(value);
    if (text === undefined)
      problems.add('field.value', `Upload-Metadata.${name}`, 'is not readable', 'base64 of a text in UTF-8');
    else if (given.has(name)) problems.add('field.value', `Upload-Metadata.${name}`, 'is said twice', 'once');
    else given.set(name, text);
  }
  return Object.fromEntries(given);
};

const checkName = (name: string, problems: ProblemList): void => {
  if (!isUploadName(name))
    problems.add('file.bad_name', 'Upload-Metadata.filename', `${shown(name)} is not accepted`, uploadNameAllowed);
};

/**
 * Reads the headers that begin an upload.
 * @throws ApiError `request.invalid` with every problem, `upload.too_large`
 */
export const readUpload = (headers: IncomingHttpHeaders, { maxFileBytes }: UploadRules): UploadOrder => {
  const problems = new ProblemList();
  const size = numberIn(headers, 'upload-length') ?? 0;
  if (size === 0)
    problems.add('field.value', 'Upload-Length', 'is not a number of bytes', `1 to ${String(maxFileBytes)}`);
  const metadata = headers['upload-metadata'];
  const request = readMetadata(typeof metadata === 'string' ? metadata : '', problems) as UploadRequest;
  for (const mistake of mistakesIn(uploadRequestSchema, request, { at: 'Upload-Metadata' }))
    problems.addMistake(mistake);
  if (problems.isEmpty) checkName(request.filename, problems);
  if (!problems.isEmpty) throw invalid(problems);
  if (size <= maxFileBytes) return { request, size };
  const most = `at most ${String(maxFileBytes)} bytes`;
  throw new ApiError(
    'upload.too_large',
    `${shown(request.filename)} has ${String(size)} bytes, and a file may have ${most}.`,
    [{ field: 'Upload-Length', reason: 'exceeds the maximum file size', allowed: most, code: 'field.value' }],
  );
};
