import type { FileFacts } from '@fleet/contracts';
import { extname } from 'node:path';
import { inspectCif } from './cif-file';
import { fileFault, type FileSource } from './file-source';
import { inspectMap, isMap } from './map-file';
import { inspectMtz } from './mtz-file';
import { inspectPdb } from './pdb-file';
import { scalepackFacts } from './scalepack-file';
import { inspectFasta, inspectPlainSequence } from './sequence-file';

/** The head that tells formats apart. Bytes. */
const headLength = 65_536;
const mtzNames: ReadonlySet<string> = new Set(['.mtz']);
const mapNames: ReadonlySet<string> = new Set(['.mrc', '.ccp4', '.map']);
const sequenceNames: ReadonlySet<string> = new Set(['.fa', '.fasta', '.seq', '.dat', '.pir', '.aa']);

interface Head {
  readonly bytes: Buffer;
  /** Latin-1. */
  readonly text: string;
  readonly lines: readonly string[];
  readonly extension: string;
}

const binaryFacts = async (source: FileSource, { bytes, extension }: Head): Promise<FileFacts | undefined> => {
  if (bytes.toString('latin1', 0, 4) === 'MTZ ') return inspectMtz(source);
  if (isMap(bytes)) return inspectMap(source);
  if (mtzNames.has(extension)) {
    throw fileFault('corrupt', source.path, 'it is named .mtz, and does not begin as an MTZ file does ("MTZ ")');
  }
  if (mapNames.has(extension)) {
    throw fileFault('corrupt', source.path, `it is named ${extension}, and has no "MAP" at byte 208 as maps have`);
  }
  return undefined;
};

const isCif = ({ lines }: Head): boolean => {
  const first = lines.map((line) => line.trim()).find((line) => line !== '' && !line.startsWith('#'));
  return first !== undefined && /^(data_|loop_|_[a-z])/i.test(first);
};

const pdbRecord =
  /^(ATOM {2}|HETATM|ANISOU|TER|END|MODEL|REMARK|HEADER|TITLE|COMPND|SOURCE|KEYWDS|EXPDTA|AUTHOR|REVDAT|JRNL|CRYST1|ORIGX|SCALE|MTRIX|SEQRES|SEQADV|MODRES|HET|FORMUL|HELIX|SHEET|TURN|SSBOND|LINK|CISPEP|SITE|CONECT|MASTER|DBREF|CAVEAT|SPLIT|OBSLTE|SPRSDE|NUMMDL|MDLTYP|USER|BREAK|PARENT|#)/;
/** A log may quote atoms; a model is made of records. Fraction of the lines. */
const pdbShare = 0.8;

const isPdb = ({ lines }: Head): boolean => {
  const written = lines.slice(0, 500).filter((line) => line.trim() !== '');
  return written.length > 0 && written.filter((line) => pdbRecord.test(line)).length >= pdbShare * written.length;
};

const isNcsSpec = ({ text }: Head): boolean => /new_ncs_group|new_operator|Summary of NCS information/.test(text);

/** The readers of text formats, the surest sign first; the first that finds what it looks for decides. */
const textReaders: readonly ((
  source: FileSource,
  head: Head,
) => Promise<FileFacts | undefined> | FileFacts | undefined)[] = [
  (_, head) => (isNcsSpec(head) ? { format: 'ncs-spec' } : undefined),
  ({ path }, { lines }) => scalepackFacts(path, lines),
  (source, head) => (isCif(head) ? inspectCif(source) : undefined),
  (source, { text }) => (text.trimStart().startsWith('>') ? inspectFasta(source) : undefined),
  (source, head) => (isPdb(head) ? inspectPdb(source) : undefined),
  (source, { extension }) => (sequenceNames.has(extension) ? inspectPlainSequence(source) : undefined),
];

const textFacts = async (source: FileSource, head: Head): Promise<FileFacts> => {
  for (const read of textReaders) {
    const found = await read(source, head);
    if (found !== undefined) return found;
  }
  return { format: 'text' };
};

/** Text has no NUL and hardly any other control character. */
const isText = ({ bytes }: Head): boolean => {
  let control = 0;
  for (const byte of bytes) {
    if (byte === 0) return false;
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) control += 1;
  }
  return control <= bytes.length / 1000;
};

/**
 * Facts of an open file, from its content. What it does not know is `unknown` (binary) or `text`.
 * @throws Fault `file.corrupt` for a damaged MTZ file, map or scalepack file, or one that is only named so; `file.too_complex`.
 */
export const factsOf = async (source: FileSource): Promise<FileFacts> => {
  const bytes = await source.read(0, headLength);
  const text = bytes.toString('latin1');
  const head: Head = { bytes, text, lines: text.split(/\r?\n/, 2_000), extension: extname(source.path).toLowerCase() };
  const binary = await binaryFacts(source, head);
  if (binary !== undefined) return binary;
  return isText(head) ? textFacts(source, head) : { format: 'unknown' };
};
