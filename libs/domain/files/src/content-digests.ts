import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, settingDefinitions, type SettingDefinition } from '@fleet/contracts/service';
import type { FileFormat, Session, SessionFile, SessionRequest } from '@fleet/contracts/sessions';

/** Digests that identify a submission inside its proposal, independent of file names and folders. */
export interface ContentDigests {
  /** Of its reflections and maps. */
  readonly data: string;
  /** Of all its files, settings, advice and directives. Title, beamline, submitter and priority change no result and are excluded. */
  readonly everything: string;
}

const dataFormats: readonly FileFormat[] = ['mtz', 'scalepack', 'mmcif-reflections', 'xds-ascii', 'map'];

/** A file that was too large to be hashed is identified by inode, size and time of its last change; a copy counts as another file. */
const contentOf = ({ pin }: SessionFile): string | undefined =>
  pin === undefined ? undefined : (pin.sha256 ?? `${pin.inode} ${String(pin.size)} ${pin.modified}`);

/** Whether two files are copies of each other, as far as their contents are known. */
export const isSameContent = (one: SessionFile, other: SessionFile): boolean =>
  contentOf(one) !== undefined && contentOf(one) === contentOf(other);

const definitions: Readonly<Record<string, SettingDefinition | undefined>> = settingDefinitions;

/** Only changed settings, so that a new setting of a later release does not change the digest of an earlier submission. */
const changedSettings = ({ settings, submittedAs }: SessionRequest): object =>
  Object.fromEntries(
    Object.entries(submittedAs?.settings ?? settings).filter(
      ([name, value]) => !isDeepStrictEqual(value, definitions[name]?.default),
    ),
  );

/** The files of the submission, without those that a resume has added. */
const submittedFiles = ({ inputs, submittedAs }: SessionRequest): readonly SessionFile[] =>
  submittedAs === undefined ? inputs : inputs.filter(({ path }) => submittedAs.files.includes(path));

/** Long enough against collisions, and short enough for a key of each session. */
const digestLength = 22;
const digestOf = (kind: string, content: readonly unknown[]): string =>
  createHash('sha256')
    .update(`phenix-fleet ${kind} 1 ${canonicalJson(content)}`)
    .digest('base64url')
    .slice(0, digestLength);

/** Undefined if the content of the files is unknown: in records of older releases, and of clients that keep their files. */
export const contentDigests = ({
  request,
  guidance,
}: Pick<Session, 'request' | 'guidance'>): ContentDigests | undefined => {
  const { proposal, directives = {}, ligands = [] } = request;
  const files = submittedFiles(request).map((file) => ({ format: file.facts.format, content: contentOf(file) }));
  if (files.some(({ content }) => content === undefined)) return undefined;
  const contents = (of: typeof files): readonly unknown[] => of.map(({ content }) => content).sort();
  const data = contents(files.filter(({ format }) => dataFormats.includes(format)));
  if (data.length === 0) return undefined;
  const { session, afterCycle } = request.forkedFrom ?? {};
  // The cycles that a fork copied cannot be part of a submission.
  const begun = session === undefined ? [] : [session, afterCycle];
  // Without ligands the digest is that of releases before ligands existed.
  const ligandParts = ligands.length === 0 ? [] : [ligands];
  const parts = [guidance?.hash ?? '', directives, changedSettings(request), ...ligandParts, ...begun];
  return {
    data: digestOf('data', [proposal, data]),
    everything: digestOf('submission', [proposal, contents(files), ...parts]),
  };
};
