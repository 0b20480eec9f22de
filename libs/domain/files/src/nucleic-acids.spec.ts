import { aFile } from '@fleet/testing';
import { nucleicAcidsOf } from './index';

const holding = (...sequences: readonly string[]) =>
  nucleicAcidsOf([
    aFile({
      path: '/s.fa',
      facts: {
        format: 'sequence',
        sequence: { chains: sequences.length, residues: sequences.join('').length, sequences: [...sequences] },
      },
    }),
  ]);

it.each([
  ['a protein', ['MKTAYIAKQRQ'], { named: '', protein: true }],
  ['RNA', ['GCGGAUUUAGC'], { named: 'RNA (11 residues)', protein: false }],
  ['DNA and a protein', ['CGCGAATTCGCG', 'MKTAYIAKQRQ'], { named: 'DNA (12 residues)', protein: true }],
  ['letters of either', ['GCGCGCGC'], { named: 'DNA or RNA (8 residues)', protein: false }],
  ['a peptide that is too short to tell', ['GACT'], { named: '', protein: true }],
])('describes the sequence: %s', (_name, chains, expected) => {
  expect(holding(...chains)).toEqual(expected);
});

it('is undefined for unknown chains', () => {
  expect(nucleicAcidsOf([])).toBeUndefined();
});
