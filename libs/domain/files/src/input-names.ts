import type { FileFormat } from '@fleet/contracts/sessions';
import { baseName } from './name-glob';

/**
 * Extensions under which programs take a format for what it is. Any other could make them read the file as something else: `.eff` as
 * parameters, `.pkl` as a program (iotbx/file_reader.py, standard_file_extensions). The first one stands in for those.
 */
const extensions: Readonly<Record<FileFormat, readonly [string, ...string[]]>> = {
  mtz: ['mtz'],
  scalepack: ['sca', 'hkl', 'cv'],
  pdb: ['pdb', 'ent'],
  'mmcif-model': ['cif', 'mmcif'],
  'mmcif-reflections': ['cif'],
  'xds-ascii': ['hkl'],
  restraints: ['cif'],
  map: ['ccp4', 'map', 'mrc'],
  sequence: ['fa', 'fasta', 'seq', 'pir', 'dat'],
  'ncs-spec': ['ncs_spec', 'ncs'],
  text: ['txt', 'log'],
  unknown: ['bin'],
};
/** How names of compressed files end; no program of this service unpacks them. */
export const compressedEnding = /\.(?:gz|bz2|xz|zst|zip)$/i;
/** Where nobody can say what a file is, its name has the word. */
const anyExtension: readonly [string, ...string[]] = [...extensions.unknown, ...Object.values(extensions).flat()];

const plainName = /^\w[\w.-]{0,99}$/;
const longestStem = 80;

const split = (name: string): { readonly stem: string; readonly extension: string } => {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot + 1) };
};

/**
 * Name under which a program is given a file: its own where that is letters, digits, `.`, `_` and `-` and ends as its format does, so
 * that what programs derive from it stays as it was; else one made from it.
 */
export const inputName = (path: string, format: FileFormat = 'unknown'): string => {
  const name = baseName(path);
  const { stem, extension } = split(name);
  const [usual, ...others] = format === 'unknown' ? anyExtension : extensions[format];
  const fits = [usual, ...others].includes(extension.toLowerCase());
  if (fits && plainName.test(name)) return name;
  const plainStem = stem
    .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[.-]+/, '')
    .slice(0, longestStem);
  return `${plainStem === '' ? 'file' : plainStem}.${fits ? extension : usual}`;
};
