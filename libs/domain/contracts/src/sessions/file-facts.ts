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
  labels: text('column labels joined as programs take them, for example `FP,SIGFP`'),
  kind: choice(['amplitude', 'intensity']),
  anomalous: flag(),
});
export type MtzObservation = Described<typeof mtzObservationSchema>;

const mtzFactsSchema = record(
  {
    reflections: measured(),
    highResolution: measured('Å; 0 where nobody has read the file'),
    lowResolution: measured('Å'),
    columns: entries(record({ label: text(), type: text() })),
    observations: entries(mtzObservationSchema),
    mapCoefficients: entries(text(), 'labels of map-coefficient pairs, for example `FWT,PHWT`'),
    phases: entries(text(), 'labels of experimental or model phases (PHIB, HLA...)'),
  },
  {
    freeFlag: text('label of the R-free flag column that is used, if there is one'),
    otherFreeFlags: entries(text(), 'labels of further columns of R-free flags; absent where there is none'),
    otherArrays: entries(text(), 'labels of observations in further blocks of the file; absent where there is none'),
    unmerged: mark('each reflection was measured several times, and its measurements are listed one by one'),
    unscaled: mark('the intensities of an unmerged file are as they were integrated: nobody has scaled them'),
    withoutValues: entries(
      text(),
      'labels of columns that hold no data: every value is missing, or all are equal; absent where there is none',
    ),
    withoutFreeFlag: mark(
      'whoever has the file says that it has no R-free flags; of files that nobody here could read',
    ),
    freeSet: text(
      'which reflections are free: the smallest hashes of their indices, hexadecimal and sorted, see `isSameFreeSet`; absent where ' +
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
    ligandCodes: entries(text(), 'residue names that are neither polymer, water nor a common ion, each once'),
    predicted: flag('a predicted model (AlphaFold and the like): the B column holds pLDDT, or the file says so'),
    meanB: measured('mean of the B column'),
  },
  {
    nucleicResidues: measured('those of the polymer residues that are DNA or RNA; absent where there are none'),
    modifiedResidues: entries(
      text(),
      'residue names in the polymer that are none of the standard ones, each once; absent where there are none',
    ),
    sequences: entries(
      text(),
      'its protein chains in one-letter code, each once; absent where there is none or it is long (10 000 letters)',
    ),
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
    mask: mark('its values lie within 0 and 1 and most are one of the two: a mask, no density'),
    fingerprint: record(
      {
        means: text('means of its blocks, two hexadecimal digits each: 128 is their mean, 1 or 255 the largest'),
        noise: text('differences of neighbouring points at the rim of its box, written likewise'),
        noiseRms: measured('of all differences at the rim, in the units of the map'),
      },
      undefined,
      'by which half maps are recognised; absent where there is no noise at the rim: a mask, or density that was masked',
    ),
  },
);
export type MapFacts = Described<typeof mapFactsSchema>;

const sequenceFactsSchema = record(
  { chains: measured(), residues: measured() },
  {
    distinct: measured('how many of the chains differ; a homodimer that is listed chain by chain has 1'),
    sequences: entries(text(), 'the different chains in one-letter code; absent where they are long (10 000 letters)'),
  },
);
export type SequenceFacts = Described<typeof sequenceFactsSchema>;

export const fileFactsSchema = record(
  'FileFacts',
  { format: choice(fileFormats) },
  {
    assumed: mark(
      'guessed from the name, the file could not be read; counts then say only whether there is any (1) or none (0)',
    ),
    notes: entries(
      text(),
      'what its reader found odd, or left aside, a sentence each: other blocks, a header that its values contradict',
    ),
    cell,
    spaceGroup: text(),
    mtz: mtzFactsSchema,
    model: modelFactsSchema,
    map: mapFactsSchema,
    restraints: record({ codes: entries(text(), 'component codes that a restraint dictionary defines') }),
    sequence: sequenceFactsSchema,
  },
  'what the file is, read from its content',
);
export type FileFacts = Described<typeof fileFactsSchema>;

export const filePinSchema = record(
  'FilePin',
  {
    inode: text('number in its file system, as text: it can be larger than a number is exact'),
    size: count('bytes'),
    modified: text('time of its last change in nanoseconds since 1970, as text'),
  },
  { sha256: text('of its content, in hexadecimal; absent where the file is too large to be read for it') },
  // Without the device number: the same file server has a different one on each computer.
  'identity of the file that was accepted; a file that has changed is not used',
);
export type FilePin = Described<typeof filePinSchema>;

export const fileUseSchema = record(
  {
    path: path('as the record has it'),
    used: flag('false: no program is given it'),
    text: text('used as what and by which programs, or why it is not'),
  },
  {
    notes: entries(
      text(),
      'what is to be known about it, a sentence each: what its reader found, and which of its columns count',
    ),
  },
  'the outcome of a submitted file',
);
export type FileUse = Described<typeof fileUseSchema>;

export const sessionFileSchema = record(
  'SessionFile',
  { path: path('absolute, resolved'), size: count('bytes'), cycle: count('0: submitted'), facts: fileFactsSchema },
  {
    program: text('what wrote it; absent for submitted files'),
    // Absent in records of older releases, and of v2 API clients, which store their own files.
    pin: filePinSchema,
  },
  'a file of a session: submitted, or made by a cycle',
);
export type SessionFile = Described<typeof sessionFileSchema>;
