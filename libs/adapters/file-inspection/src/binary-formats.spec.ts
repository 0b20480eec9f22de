import { mapBytes, mtzBytes } from '@fleet/testing';
import { FileBench } from './fixtures/file-bench';

const bench = new FileBench();

afterAll(() => bench.remove());

describe('an MTZ file', () => {
  const columns = [
    ['H', 'H'],
    ['K', 'H'],
    ['L', 'H'],
    ['FREE', 'I', 0, 19],
    ['FP', 'F'],
    ['SIGFP', 'Q'],
  ] as const;

  it.each([false, true])('is read in either byte order (big-endian: %s)', async (bigEndian) => {
    expect(await bench.factsOf('data.mtz', mtzBytes({ columns, bigEndian }))).toEqual({
      format: 'mtz',
      cell: [50, 60, 70, 90, 90, 90],
      spaceGroup: 'P 21 21 21',
      mtz: {
        reflections: 10,
        highResolution: 2,
        lowResolution: 20,
        columns: columns.map(([label, type]) => ({ label, type })),
        observations: [{ labels: 'FP,SIGFP', kind: 'amplitude', anomalous: false }],
        freeFlag: 'FREE',
        freeSet: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
        mapCoefficients: [],
        phases: [],
      },
    });
  });

  it('is recognised by its content, whatever its name', async () => {
    expect((await bench.factsOf('data.dat', mtzBytes({ columns }))).format).toBe('mtz');
  });

  it.each([
    ['intensities', ['I:J', 'SIGI:Q'], ['I,SIGI intensity false'], [], []],
    ['anomalous intensities', ['I+:K', 'SI+:M', 'I-:K', 'SI-:M'], ['I+,SI+,I-,SI- intensity true'], [], []],
    ['anomalous amplitudes', ['F+:G', 'SF+:L', 'F-:G', 'SF-:L'], ['F+,SF+,F-,SF- amplitude true'], [], []],
    [
      'a mean and its anomalous difference',
      ['F:F', 'SIGF:Q', 'DANO:D', 'SIGDANO:Q'],
      ['F,SIGF,DANO,SIGDANO amplitude true'],
      [],
      [],
    ],
    [
      'two arrays',
      ['FP:F', 'SIGFP:Q', 'I:J', 'SIGI:Q'],
      ['FP,SIGFP amplitude false', 'I,SIGI intensity false'],
      [],
      [],
    ],
    ['map coefficients', ['2FOFCWT:F', 'PH2FOFCWT:P', 'F-model:F', 'PHIF-model:P'], [], ['2FOFCWT,PH2FOFCWT'], []],
    [
      'filtered data of a map file',
      ['F-obs-filtered:F', 'SIGF-obs-filtered:Q', 'FWT:F', 'PHWT:P'],
      [],
      ['FWT,PHWT'],
      [],
    ],
    [
      'an element whose name begins with "calc"',
      ['F_calcium:F', 'SIGF_calcium:Q'],
      ['F_calcium,SIGF_calcium amplitude false'],
      [],
      [],
    ],
    ['amplitudes alone, without standard uncertainties', ['FP:F'], [], [], []],
    ['phases that REFMAC has combined with those of a model', ['PHCOMB:P', 'HLACOMB:A'], [], [], []],
    [
      'experimental phases',
      ['F:F', 'SIGF:Q', 'PHIB:P', 'FOM:W', 'HLA:A'],
      ['F,SIGF amplitude false'],
      [],
      ['PHIB', 'HLA'],
    ],
  ])('with %s reports them', async (_, labels, observations, mapCoefficients, phases) => {
    const { mtz } = await bench.factsOf(
      'x.mtz',
      mtzBytes({ columns: labels.map((label) => label.split(':') as [string, string]) }),
    );
    expect(mtz?.observations.map(({ labels: l, kind, anomalous }) => `${l} ${kind} ${anomalous}`)).toEqual(
      observations,
    );
    expect(mtz?.mapCoefficients).toEqual(mapCoefficients);
    expect(mtz?.phases).toEqual(phases);
  });

  it.each(['FREE', 'FreeR_flag', 'R-free-flags', 'FREER', 'RFREE'])('has its test set in %s', async (label) => {
    expect((await bench.factsOf('x.mtz', mtzBytes({ columns: [[label, 'I', 0, 1]] }))).mtz?.freeFlag).toBe(label);
  });

  it('has no test set if all flags are equal', async () => {
    expect((await bench.factsOf('x.mtz', mtzBytes({ columns: [['FREE', 'I', 0, 0]] }))).mtz?.freeFlag).toBeUndefined();
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['text', Buffer.from('hello\n'), /does not begin as an MTZ file/],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /does not begin as an MTZ file/],
    [
      'the first 40 bytes alone',
      mtzBytes({ columns }).subarray(0, 40),
      /no columns or no reflections: it is damaged or cut off/,
    ],
    [
      'its first half',
      mtzBytes({ columns }).subarray(0, 200),
      /no columns or no reflections: it is damaged or cut off/,
    ],
    ['no END', mtzBytes({ columns }).subarray(0, -80), /no END record/],
    [
      'more reflections than there is room for',
      mtzBytes({ columns, records: { NCOL: 'NCOL 6 99999 0' } }),
      /too short/,
    ],
    ['another number of columns', mtzBytes({ columns, records: { NCOL: 'NCOL 7 10 0' } }), /inconsistent with NCOL/],
    ['no reflections', mtzBytes({ columns, reflections: 0 }), /no reflections/],
  ])('is corrupt with %s', async (_, content, reason) => {
    const path = bench.write('bad.mtz', content);
    const fault = await bench.faultOf(path);
    expect(fault).toMatchObject({ code: 'file.corrupt', field: path });
    expect(fault.reason).toMatch(reason);
  });
});

/** A map with other words in its header, by their numbers. */
const withWords = (bytes: Buffer, words: Readonly<Record<number, number>>): Buffer => {
  for (const [word, value] of Object.entries(words)) bytes.writeInt32LE(value, Number(word) * 4 - 4);
  return bytes;
};

describe('a map', () => {
  it('without a cell has a note', async () => {
    const { cell, notes } = await bench.factsOf('m.mrc', mapBytes({ edges: [0, 0, 0] }));
    expect([cell, notes]).toEqual([undefined, [expect.stringContaining('holds no cell')]]);
  });

  it.each([false, true])('is read in either byte order (big-endian: %s)', async (bigEndian) => {
    expect(await bench.factsOf('m.ccp4', mapBytes({ bigEndian }))).toEqual({
      format: 'map',
      cell: [16, 16, 16, 90, 90, 90],
      map: { grid: [8, 8, 8], mode: 2, voxel: 2, fingerprint: expect.objectContaining({ noiseRms: 0.6786 }) as object },
    });
  });

  it('reports its grid along x, y, z, in any storage order', async () => {
    const { map } = await bench.factsOf('m.mrc', mapBytes({ size: [4, 6, 8], axes: [3, 2, 1] }));
    expect(map?.grid).toEqual([8, 6, 4]);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['no magic word', Buffer.alloc(4096, 1), /no "MAP"/],
    ['a cut grid', mapBytes({}).subarray(0, 2000), /it is truncated/],
    ['an impossible mode', mapBytes({ mode: 77 }), /mode 77/],
    ['complex values', mapBytes({ mode: 4 }), /a Fourier transform/],
    ['one section', mapBytes({ size: [8, 8, 1] }), /an image, or a stack/],
    ['a section for each cell', withWords(mapBytes({}), { 10: 1, 23: 0 }), /an image, or a stack/],
    ['volumes in a stack', withWords(mapBytes({}), { 23: 401 }), /an image, or a stack/],
  ])('is corrupt with %s', async (_, content, reason) => {
    const fault = await bench.faultOf(bench.write('bad.ccp4', content));
    expect(fault.code).toBe('file.corrupt');
    expect(fault.reason).toMatch(reason);
  });
});
