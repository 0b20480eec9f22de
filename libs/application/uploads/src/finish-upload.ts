import { Fault, isFault } from '@fleet/contracts/faults';
import { shown } from '@fleet/contracts/schema';
import type { Upload } from '@fleet/contracts/uploads';
import type { IncomingFile } from '@fleet/ports';
import { exists } from './begin-upload';
import { changed, type UploadPorts } from './upload-ports';

const knownFormats = 'MTZ, XDS_ASCII, Scalepack, PDB, mmCIF, restraint dictionary, CCP4 map, sequence';

const otherContent = ({ name, expected = '' }: Upload, sha256: string): Fault =>
  new Fault(
    'upload.bad_checksum',
    'caller',
    `The SHA-256 of ${shown(name)} is ${sha256}, but ${expected} was announced: the file changed during the upload. It is not stored; upload it again.`,
  );

const badFile = ({ name }: Upload, reason: string): Fault =>
  new Fault('upload.bad_file', 'caller', `${shown(name)} cannot be used and is not stored: ${reason}.`, {
    problems: [{ field: 'Upload-Metadata.filename', reason, allowed: knownFormats, code: 'file.unknown_format' }],
  });

/** The inspector's message, with the file name of the sender. */
const reasonOf = (fault: Fault, { path }: IncomingFile, { name }: Upload): string =>
  (fault.problems[0]?.reason ?? fault.message).replaceAll(path, name).replace(/\.$/, '');

/** Why a file's content is rejected; undefined: it is accepted. */
const contentProblem = async (
  { inspector, files }: UploadPorts,
  upload: Upload,
  file: IncomingFile,
): Promise<Fault | undefined> => {
  try {
    const { facts } = await inspector.inspect(file.path, { cycle: 0 }, files.root);
    return facts.format === 'unknown' ? badFile(upload, 'it has an unknown format') : undefined;
  } catch (error) {
    if (isFault(error) && error.code === 'inspection.busy')
      throw new Fault(
        'inspection.busy',
        'transient',
        `${error.message} The upload is stored; send its last byte again.`,
      );
    if (!isFault(error) || error.kind !== 'caller') throw error;
    return badFile(upload, reasonOf(error, file, upload));
  }
};

const refuse = async (ports: UploadPorts, upload: Upload, why: Fault): Promise<never> => {
  await changed(ports, upload, { state: 'refused', problem: why.message.slice(0, 1000), writing: false });
  await ports.files.clear(upload);
  throw why;
};

/** The file has its name: records that, and removes the incoming one. */
export const complete = async (ports: UploadPorts, upload: Upload): Promise<Upload> => {
  const path = ports.files.pathOf(upload);
  const done = await changed(ports, upload, { state: 'complete', offset: upload.size, path, writing: false });
  await ports.files.clear(done);
  return done;
};

/**
 * Inspects a completely received file, and gives it its name.
 * @param completing called before it gets its name
 * @throws Fault `upload.bad_checksum`, `upload.bad_file`, `upload.exists`: then it is rejected and deleted
 */
export const finishUpload = async (
  ports: UploadPorts,
  upload: Upload,
  file: IncomingFile,
  completing: (sha256: string) => Promise<void>,
): Promise<Upload> => {
  await file.keep();
  const sha256 = await file.sha256();
  if (upload.expected !== undefined && upload.expected !== sha256)
    return refuse(ports, upload, otherContent(upload, sha256));
  const problem = await contentProblem(ports, upload, file);
  if (problem !== undefined) return refuse(ports, upload, problem);
  await completing(sha256);
  // Recorded before it gets its name: a file with this name is then complete.
  const recorded = await changed(ports, upload, { sha256 });
  if (!(await file.publish())) return refuse(ports, recorded, exists(recorded));
  return complete(ports, recorded);
};
