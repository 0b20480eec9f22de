import { choice, flag, list, mark, record, text, type Described, type JsonSchema, type Schema } from '../schema/schema';
import { count, entries, measured, path } from '../schema/schema-fields';

/** The format of a file, detected from its content, never from its name alone. Lengths in Å, angles in degrees. */
export const fileFormats = [
  'mtz',
  'scalepack',
  'pdb',
  'mmcif-model',
  'mmcif-reflections',
  'xds-ascii',
  'restraints',
  'map',
  'sequence',
  'ncs-spec',
  'text',
  'unknown',
] as const;
export type FileFormat = (typeof fileFormats)[number];

/** a, b, c in Å, alpha, beta, gamma in degrees. */
export type UnitCell = readonly [number, number, number, number, number, number];

const numbers = (length: number, what: string): JsonSchema =>
  list(measured(), what, { minItems: length, maxItems: length });
const cell = numbers(6, 'a, b, c in Å, alpha, beta, gamma in degrees') as Schema<UnitCell>;
const grid = numbers(3, 'grid points along x, y, z') as Schema<readonly [number, number, number]>;

const mtzObservationSchema = record({
  labels: text('column labels in the form that programs accept, for example `FP,SIGFP`'),
  kind: choice(['amplitude', 'intensity']),
  anomalous: flag(),
});
export type MtzObservation = Described<typeof mtzObservationSchema>;

const mtzFactsSchema = record(
  {
    reflections: measured(),
    highResolution: measured('Å; 0 if the file was not read'),
    lowResolution: measured('Å'),
    columns: entries(record({ label: text(), type: text() })),
    observations: entries(mtzObservationSchema),
    mapCoefficients: entries(text(), 'labels of map-coefficient pairs, for example `FWT,PHWT`'),
    phases: entries(text(), 'labels of experimental or model phases (PHIB, HLA...)'),
  },
  {
    freeFlag: text('label of the R-free flag column in use; absent: none'),
    otherFreeFlags: entries(text(), 'labels of other R-free flag columns; absent: none'),
    otherArrays: entries(text(), 'labels of observations in other blocks of the file; absent: none'),
    unmerged: mark('unmerged: each reflection has several separate measurements'),
    unscaled: mark('the unmerged intensities are unscaled'),
    withoutValues: entries(text(), 'labels of columns without data (all values missing or equal); absent: none'),
    withoutFreeFlag: mark(
      'the client states that the file has no R-free flags; for files that the service cannot read',
    ),
    freeSet: text(
      'fingerprint of the free set: the smallest hashes of the indices, hexadecimal and sorted, see `isSameFreeSet`; absent if ' +
        'there is no column or the file is too large',
    ),
  },
);
export type MtzFacts = Described<typeof mtzFactsSchema>;

const modelFactsSchema = record(
  {
    atoms: measured(),
    chains: entries(text()),
    polymerResidues: measured('protein or nucleic acid'),
    waters: measured(),
    ligandCodes: entries(text(), 'distinct residue names other than polymer, water and common ions'),
    predicted: flag('a predicted model (such as AlphaFold): the B column contains pLDDT, or the file states it'),
    meanB: measured('mean of the B column'),
  },
  {
    nucleicResidues: measured('DNA and RNA residues among the polymer residues; absent: none'),
    modifiedResidues: entries(text(), 'distinct non-standard residue names in the polymer; absent: none'),
    sequences: entries(text(), 'distinct protein chains in one-letter code; absent: none, or more than 10,000 letters'),
  },
);
export type ModelFacts = Described<typeof modelFactsSchema>;

const mapFactsSchema = record(
  {
    grid,
    mode: measured(),
    voxel: measured('Å per grid point along x'),
  },
  {
    mask: mark('the values are between 0 and 1 and mostly 0 or 1: a mask, not a density map'),
    fingerprint: record(
      {
        means: text('block means, two hexadecimal digits each: 128 is the overall mean, 1 and 255 the extremes'),
        noise: text('differences of neighbouring points at the edge of the box, in the same encoding'),
        noiseRms: measured('standard deviation of the differences at the edge of the box, in map units'),
      },
      undefined,
      'fingerprint that identifies half maps; absent without noise at the edge of the box (a mask or a masked map)',
    ),
  },
);
export type MapFacts = Described<typeof mapFactsSchema>;

const sequenceFactsSchema = record(
  { chains: measured(), residues: measured() },
  {
    distinct: measured('number of distinct chains; 1 for a homodimer'),
    sequences: entries(text(), 'distinct chains in one-letter code; absent if longer than 10,000 letters'),
  },
);
export type SequenceFacts = Described<typeof sequenceFactsSchema>;

const fileFactsSchema = record(
  'FileFacts',
  { format: choice(fileFormats) },
  {
    assumed: mark('guessed from the file name because the file is unreadable; counts are then 1 (some) or 0 (none)'),
    notes: entries(
      text(),
      'remarks of the reader, one sentence each: ignored blocks, a header that contradicts the values',
    ),
    cell,
    spaceGroup: text(),
    mtz: mtzFactsSchema,
    model: modelFactsSchema,
    map: mapFactsSchema,
    restraints: record({ codes: entries(text(), 'component codes that a restraint dictionary defines') }),
    sequence: sequenceFactsSchema,
  },
  'facts about the file, from its content',
);
export type FileFacts = Described<typeof fileFactsSchema>;

export const filePinSchema = record(
  'FilePin',
  {
    inode: text('inode number, as text because it can exceed the exact range of a JSON number'),
    size: count('size in bytes'),
    modified: text('time of the last change in nanoseconds since 1970, as text'),
  },
  { sha256: text('SHA-256 of the content, hexadecimal; absent if the file is too large') },
  // Without the device number: the same file server has a different one on each computer.
  'identity of the accepted file; a changed file is not used',
);
export type FilePin = Described<typeof filePinSchema>;

export const fileUseSchema = record(
  'FileUse',
  {
    path: path('as in the record'),
    used: flag('false: no program uses it'),
    text: text('purpose and programs that use it, or why it is not used'),
  },
  {
    notes: entries(text(), 'remarks, one sentence each: what the reader found, and which columns are used'),
  },
  'use of a submitted file',
);
export type FileUse = Described<typeof fileUseSchema>;

export const sessionFileSchema = record(
  'SessionFile',
  {
    path: path('absolute, resolved path'),
    size: count('size in bytes'),
    cycle: count('0: submitted'),
    facts: fileFactsSchema,
  },
  {
    program: text('program that wrote it; absent for submitted files'),
    // Absent in records of older releases, and of v2 API clients, which store their own files.
    pin: filePinSchema,
  },
  'a file of a session: submitted, or written by a cycle',
);
export type SessionFile = Described<typeof sessionFileSchema>;
