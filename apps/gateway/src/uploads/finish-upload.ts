import { isFault, shown, type Fault, type Upload } from '@fleet/contracts';
import type { IncomingFile } from '@fleet/ports';
import { ApiError } from '../errors/problem-details';
import { exists } from './begin-upload';
import { changed, type UploadParts } from './upload-parts';

const knownFormats = 'MTZ, Scalepack, PDB, mmCIF, restraint dictionary, CCP4 map, sequence';

const otherContent = ({ name, expected = '' }: Upload, sha256: string): ApiError =>
  new ApiError(
    'upload.bad_checksum',
    `What arrived of ${shown(name)} has the SHA-256 ${sha256}, and ${expected} was announced: a byte changed on the way, or the file while it was sent. Nothing of it is kept; upload it again.`,
  );

const badFile = ({ name }: Upload, reason: string): ApiError =>
  new ApiError('upload.bad_file', `${shown(name)} cannot be used and is not kept: ${reason}.`, [
    { field: 'Upload-Metadata.filename', reason, allowed: knownFormats, code: 'file.unknown_format' },
  ]);

/** What inspection says, of the file as its sender calls it. */
const reasonOf = (fault: Fault, { path }: IncomingFile, { name }: Upload): string =>
  (fault.problems[0]?.reason ?? fault.message).replaceAll(path, name).replace(/\.$/, '');

/** Why a file is not taken, by what is in it; undefined: it is. */
const contentProblem = async (
  { inspector, files }: UploadParts,
  upload: Upload,
  file: IncomingFile,
): Promise<ApiError | undefined> => {
  try {
    const { facts } = await inspector.inspect(file.path, { cycle: 0 }, files.root);
    return facts.format === 'unknown' ? badFile(upload, 'it has an unknown format') : undefined;
  } catch (error) {
    if (isFault(error) && error.code === 'inspection.busy')
      throw new ApiError('inspection.busy', `${error.message} What came is kept; send its last byte again.`);
    if (!isFault(error) || error.kind !== 'caller') throw error;
    return badFile(upload, reasonOf(error, file, upload));
  }
};

const refuse = async (parts: UploadParts, upload: Upload, why: ApiError): Promise<never> => {
  await changed(parts, upload, { state: 'refused', problem: why.message.slice(0, 1000), writing: false });
  await parts.files.clear(upload);
  throw why;
};

/** It has its name: says so, and forgets the other. */
export const complete = async (parts: UploadParts, upload: Upload): Promise<Upload> => {
  const path = parts.files.pathOf(upload);
  const done = await changed(parts, upload, { state: 'complete', offset: upload.size, path, writing: false });
  await parts.files.clear(done);
  return done;
};

/**
 * Looks at a file that has come whole, and gives it its name.
 * @param completing hears before it gets its name
 * @throws ApiError `upload.bad_checksum`, `upload.bad_file`, `upload.exists`: then it is refused, and nothing of it kept
 */
export const finishUpload = async (
  parts: UploadParts,
  upload: Upload,
  file: IncomingFile,
  completing: (sha256: string) => Promise<void>,
): Promise<Upload> => {
  await file.keep();
  const sha256 = await file.sha256();
  if (upload.expected !== undefined && upload.expected !== sha256)
    return refuse(parts, upload, otherContent(upload, sha256));
  const problem = await contentProblem(parts, upload, file);
  if (problem !== undefined) return refuse(parts, upload, problem);
  await completing(sha256);
  // What is known of it stands in its record before it has its name: whoever finds it so can say that it is complete.
  const looked = await changed(parts, upload, { sha256 });
  if (!(await file.publish())) return refuse(parts, looked, exists(looked));
  return complete(parts, looked);
};
