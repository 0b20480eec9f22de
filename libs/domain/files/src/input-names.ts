import type { FileFormat } from '@fleet/contracts/sessions';
import { baseName } from './name-glob';

/**
 * Extensions by which programs recognise a format. Any other could make them read the file as something else: `.eff` as parameters, `.pkl` as
 * a program (iotbx/file_reader.py, standard_file_extensions). Others are replaced with the first.
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
/** Extensions of compressed files; no program of this service unpacks them. */
export const compressedEnding = /\.(?:gz|bz2|xz|zst|zip)$/i;
/** For a file of unknown format its extension is kept. */
const anyExtension: readonly [string, ...string[]] = [...extensions.unknown, ...Object.values(extensions).flat()];

const plainName = /^\w[\w.-]{0,99}$/;
const longestStem = 80;

const split = (name: string): { readonly stem: string; readonly extension: string } => {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot + 1) };
};

/**
 * Name of a program's input file: its own if it consists of letters, digits, `.`, `_` and `-` and has an extension of its format, so that
 * derived names stay the same; otherwise a safe name derived from it.
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
