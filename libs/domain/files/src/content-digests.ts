import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, settingDefinitions, type SettingDefinition } from '@fleet/contracts/service';
import type { FileFormat, Session, SessionFile, SessionRequest } from '@fleet/contracts/sessions';

/** By what a submission is known again inside its proposal, whatever its files are called and wherever they lie. */
export interface ContentDigests {
  /** Of its reflections and maps. */
  readonly data: string;
  /** Of all its files, its settings and what was asked for. Its title, beamline, submitter and priority change no result and count for nothing. */
  readonly everything: string;
}

const dataFormats: readonly FileFormat[] = ['mtz', 'scalepack', 'mmcif-reflections', 'xds-ascii', 'map'];

/** A file that was too large to be hashed is known as long as it stays where it is and nobody writes to it; a copy of it is another one. */
const contentOf = ({ pin }: SessionFile): string | undefined =>
  pin === undefined ? undefined : (pin.sha256 ?? `${pin.inode} ${String(pin.size)} ${pin.modified}`);

const definitions: Readonly<Record<string, SettingDefinition | undefined>> = settingDefinitions;

/** A setting that a later release brings does not make an earlier submission another one. */
const changedSettings = ({ settings, submittedAs }: SessionRequest): object =>
  Object.fromEntries(
    Object.entries(submittedAs?.settings ?? settings).filter(
      ([name, value]) => !isDeepStrictEqual(value, definitions[name]?.default),
    ),
  );

/** The files of the submission, without those that a resume has added. */
const submittedFiles = ({ inputs, submittedAs }: SessionRequest): readonly SessionFile[] =>
  submittedAs === undefined ? inputs : inputs.filter(({ path }) => submittedAs.files.includes(path));

/** Longer than anybody finds a second text for, and short enough for a key of each session. */
const digestLength = 22;
const digestOf = (kind: string, content: readonly unknown[]): string =>
  createHash('sha256')
    .update(`phenix-fleet ${kind} 1 ${canonicalJson(content)}`)
    .digest('base64url')
    .slice(0, digestLength);

/** Undefined where nobody knows what was in the files: in records of older releases, and of clients that keep their files. */
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
  // What a fork has of another session is nothing that a submission could have.
  const begun = session === undefined ? [] : [session, afterCycle];
  // Without any it is the submission that it was before there were ligands.
  const ligandParts = ligands.length === 0 ? [] : [ligands];
  const parts = [guidance?.hash ?? '', directives, changedSettings(request), ...ligandParts, ...begun];
  return {
    data: digestOf('data', [proposal, data]),
    everything: digestOf('submission', [proposal, contents(files), ...parts]),
  };
};
