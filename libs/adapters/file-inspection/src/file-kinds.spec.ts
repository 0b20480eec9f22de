import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isFault } from '@fleet/contracts/faults';
import type { FileFacts } from '@fleet/contracts/sessions';
import fc from 'fast-check';
import { mtzBytes } from '@fleet/testing';
import { FileBench } from './fixtures/file-bench';

const bench = new FileBench();

afterAll(() => bench.remove());

/** Texts that no program here reads, and a part of the note that says what they are. */
const texts = [
  ['hklf4.hkl', '   1   0   0   12.30    0.90   1\n'.repeat(6), 'as SHELX has them, without a cell'],
  ['blankless.hkl', '  -1 -10-123-9999.1099999.99\n'.repeat(6), 'as SHELX has them, without a cell'],
  ['x.fin', '1 0 0 12.3 0.9\n'.repeat(6), 'as SHELX has them, without a cell'],
  ['cns.hkl', ' NREFlection= 9\n ANOMalous=FALSe\n', 'CNS or X-PLOR'],
  ['old.cv', ' INDE 1 0 -2 FOBS= 12.3 SIGMA= 0.9 TEST= 0\n', 'CNS or X-PLOR'],
  ['lig.sdf', 'x\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n', '(MOL or SDF). Give restraints'],
  ['lig.mol2', '@<TRIPOS>MOLECULE\nx\n', '(MOL2). Give restraints'],
  ['lig.smi', 'OCC1OC(O)C(O)C(O)C1O\n', 'SMILES of a ligand'],
  ['x.eff', 'refinement {\n}\n', '(PHIL)'],
] as const;

it.each<[string, string, Partial<FileFacts>]>([
  ['s.fa', '>A\nMKT\nAYI\n>B\nGGG\n', { format: 'sequence', sequence: { chains: 2, residues: 9, distinct: 2 } }],
  [
    'homodimer.fa',
    '>A\nMKT\nAYI\n>B\nmktayi\n',
    { format: 'sequence', sequence: { chains: 2, residues: 12, distinct: 1 } },
  ],
  ['s.pir', '>P1;X\ntitle of it\nMKTAYI*\n', { format: 'sequence', sequence: { chains: 1, residues: 6, distinct: 1 } }],
  ['s.seq', 'MKTAYIAKQR\nGGG\n\nAAAA\n', { format: 'sequence', sequence: { chains: 2, residues: 17, distinct: 2 } }],
  ['notes.txt', 'MKTAYIAKQR\n', { format: 'text' }],
  [
    'm.sca',
    '    1\n -987\n    64.897    78.323    38.792    90.000    90.000    90.000 p212121\n   1   0   0  10.0   1.0\n',
    { format: 'scalepack', spaceGroup: 'P 21 21 21' },
  ],
  [
    'peak.sca',
    '    1\n -985\n 64.897 78.323 38.792 90.000 90.000 90.000 p212121\n   1   0   0    10.0     1.0    11.0     1.0\n   2   0   0    10.0     1.0     0.0    -1.0\n',
    expect.objectContaining({
      mtz: expect.objectContaining({
        observations: [{ labels: 'I(+),SIGI(+),I(-),SIGI(-)', kind: 'intensity', anomalous: true }],
      }) as object,
    }) as Partial<FileFacts>,
  ],
  ['autosol.log', 'Summary of NCS information\nnone found\n', { format: 'text' }],
  ['saxs.dat', '0.01 100.0 1.0\n0.02 90.0 1.0\n', { format: 'text' }],
  ['table.dat', 'RESOLUTION COMPLETENESS\n50.0 99.1\n', { format: 'text' }],
  [
    'lysozyme',
    `${'MKVLITGGAG'.repeat(4)}\nMKV\n`,
    { format: 'sequence', sequence: { chains: 1, residues: 43, distinct: 1 } },
  ],
  [
    'seq.dat',
    'MKVLITGGAG FIGSNLVDKL LEEGH\n',
    { format: 'sequence', sequence: { chains: 1, residues: 25, distinct: 1 } },
  ],
  [
    'msa.a3m',
    '>1\nMKVLIT\n>2\nMK-LaaIT\n',
    { format: 'text', notes: [expect.stringContaining('It is an alignment') as string] },
  ],
  ...texts.map(([name, content, note]): [string, string, Partial<FileFacts>] => [
    name,
    content,
    { format: 'text', notes: [expect.stringContaining(note) as string] },
  ]),
  ['numbers.txt', '1 2 3 4 5\n'.repeat(9), { format: 'text' }],
  [
    'unmerged.sca',
    '    1 p21\n  1  0  0  0  1  0  0  0  1\n  0  0  0\n   1   2   3   1   2   3     1 0 0  1   100.0     3.0\n',
    { format: 'scalepack', notes: [expect.stringContaining('without a cell') as string] },
  ],
  ['x.ncs_spec', 'Summary of NCS information\nnew_ncs_group\nnew_operator\n', { format: 'ncs-spec' }],
  ['readme', 'Dear colleague, 1 + 1 = 2.\n', { format: 'text' }],
  ['data.bin', 'a\u0000\u0001b', { format: 'unknown' }],
])('%s is classified by its content', async (name, content, expected) => {
  expect(await bench.factsOf(name, content)).toMatchObject(expected);
});

it.each([
  ['a byte-order mark', (text: string) => `\uFEFF${text}`, 'byte-order mark'],
  ['lines that end with CR alone', (text: string) => text.replaceAll('\n', '\r'), 'CR alone'],
])('a model or CIF with %s is rejected, because programs would lose a part of it', async (_, written, reason) => {
  const cryst = 'CRYST1   50.000   60.000   70.000  90.00  90.00  90.00 P 21 21 21\nEND\n';
  for (const text of [cryst, 'data_x\n_cell.length_a 50\n'])
    expect((await bench.faultOf(bench.write('x', written(text)))).reason).toContain(reason);
});

it.each([
  ['x.cbf', Buffer.from('###CBF: VERSION 1.5\r\n')],
  ['x.h5', Buffer.from('\x89HDF\r\n\x1a\n', 'latin1')],
])('diffraction images are named as such: %s', async (name, bytes) => {
  expect(await bench.faultOf(bench.write(name, bytes))).toMatchObject({
    code: 'file.unknown_format',
    reason: expect.stringContaining('diffraction images') as string,
  });
});

describe('a path that is not a readable file', () => {
  it('is missing', async () => {
    expect(await bench.faultOf(join(bench.folder, 'nothing.mtz'))).toMatchObject({
      code: 'file.missing',
      field: join(bench.folder, 'nothing.mtz'),
    });
  });

  it('is missing below a file', async () => {
    expect((await bench.faultOf(join(bench.write('plain', 'x'), 'below'))).code).toBe('file.missing');
  });

  it('is missing with a NUL in its name', async () => {
    expect((await bench.faultOf(`${bench.folder}/a\0b`)).code).toBe('file.missing');
  });

  it('is empty without a byte in it', async () => {
    expect((await bench.faultOf(bench.write('empty.pdb', ''))).code).toBe('file.empty');
  });

  it('is a folder', async () => {
    mkdirSync(join(bench.folder, 'sub'));
    expect((await bench.faultOf(join(bench.folder, 'sub'))).code).toBe('file.not_regular');
  });

  it('is a pipe, which is never opened', async () => {
    execFileSync('/usr/bin/mkfifo', [join(bench.folder, 'pipe.mtz')]);
    expect((await bench.faultOf(join(bench.folder, 'pipe.mtz'))).code).toBe('file.not_regular');
  });

  it('is a device', async () => {
    expect((await bench.faultOf('/dev/zero')).code).toBe('file.not_regular');
  });

  it('is unreadable, except for root', async () => {
    const path = bench.write('secret.pdb', 'x');
    chmodSync(path, 0);
    const asRoot = process.getuid?.() === 0;
    const code = await bench.faultOf(path).then(
      (fault) => fault.code,
      () => 'accepted',
    );
    expect(code).toBe(asRoot ? 'accepted' : 'file.unreadable');
  });
});

it.each(['a b.mtz', "it's.mtz", 'line\nbreak.mtz', '$(id).mtz', '-rf.mtz', 'größe.mtz'])(
  'accepts the name %j unchanged',
  async (name) => {
    const path = bench.write(name, mtzBytes({ columns: [['F', 'F']] }));
    expect(await bench.inspector.inspect(path, { cycle: 2, program: 'phenix.refine' })).toMatchObject({
      path,
      cycle: 2,
      program: 'phenix.refine',
    });
  },
);

it('returns facts or a Fault with the path for any bytes under any name', async () => {
  const starts = ['', 'MTZ ', 'data_', '>', 'ATOM  ', 'CRYST1', '    1\n -987\n', 'loop_\n_atom_site.id\n'].map(
    (text) => Buffer.from(text),
  );
  const names = fc.constantFrom('x.mtz', 'x.ccp4', 'x.pdb', 'x.cif', 'x.seq', 'x');
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 2000 }),
    fc.string({ minLength: 1 }).map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(names, fc.constantFrom(...starts), bytes, async (name, start, rest) => {
      const path = bench.write(name, Buffer.concat([start, rest]));
      try {
        expect((await bench.inspector.inspect(path, { cycle: 0 })).facts.format).toBeDefined();
      } catch (error) {
        if (!isFault(error)) throw error;
        expect(error.problems[0]?.field).toBe(path);
      }
    }),
    { numRuns: 500 },
  );
});
