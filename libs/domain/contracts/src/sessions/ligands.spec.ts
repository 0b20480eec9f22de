import { mistakesIn } from '../schema/check';
import {
  ligandOfLine,
  ligandProblems,
  ligandText,
  lineOfLigand,
  requestedLigandsSchema,
  withIds,
  type RequestedLigand,
} from './ligands';

const wrong = (ligands: readonly unknown[]): readonly string[] =>
  [
    ...mistakesIn(requestedLigandsSchema, ligands, { at: 'ligands' }),
    ...ligandProblems(ligands as RequestedLigand[]),
  ].map(({ field, reason, allowed }) => `${field} ${reason}; ${allowed ?? ''}`);

describe('ligands without a file', () => {
  it.each<[RequestedLigand]>([
    [{ code: 'NDG' }],
    [{ code: 'A1AAA' }],
    [{ smiles: 'CN1C(=O)C=Cc2ccccc12' }],
    [{ smiles: '[O-][N+](=O)c1ccc(cc1)/C=C/[C@@H](F)C%10CC%10', id: 'DRUG1' }],
  ])('may be %j', (ligand) => {
    expect(wrong([ligand])).toEqual([]);
  });

  it.each([
    [
      { code: 'ndg' },
      'ligands[0].code "ndg" is not allowed; a code of the Chemical Component Dictionary: 1 to 5 capital',
    ],
    [{ code: 'TOOLONG' }, 'ligands[0].code "TOOLONG" is not allowed'],
    [{ smiles: 'CCO LIG' }, 'ligands[0].smiles "CCO LIG" is not allowed; a SMILES string of one molecule'],
    [{ smiles: 'CC\u0007O' }, 'ligands[0].smiles'],
    [{ smiles: '-CC' }, 'ligands[0].smiles'],
    [{ smiles: 'CC(=O)[O-].[Na+]' }, 'ligands[0].smiles'],
    [{ smiles: 'C$(rm)`;' }, 'ligands[0].smiles'],
    [{ smiles: 'C'.repeat(1_001) }, 'ligands[0].smiles has 1001 characters; at most 1000 characters'],
    [{ smiles: 'CC(=O' }, 'ligands[0].smiles its brackets do not close'],
    [{ smiles: 'C1CC1', id: 'l1' }, 'ligands[0].id "l1" is not allowed; 3 to 5 capital letters and digits'],
    [{ smiles: 'C1CC1', id: 'ALA' }, 'ligands[0].id ALA is a residue of polymers, water or an ion'],
    [{ code: 'HOH' }, 'ligands[0].code HOH is a residue of polymers, water or an ion'],
    [{ code: 'NAG', smiles: 'C' }, 'ligands[0] has a code and SMILES; either code, or smiles'],
    [{ id: 'LIG' }, 'ligands[0] has neither a code nor SMILES'],
    [{ code: 'NAG', id: 'LIG' }, 'ligands[0].id a code is the name of its component already'],
  ])('are invalid if one is %j', (ligand, says) => {
    expect(wrong([ligand])[0]).toContain(says);
  });

  it('have their own names, or the reserved ones by default', () => {
    const given = [{ smiles: 'C' }, { code: 'DRG' }, { smiles: 'CC' }, { smiles: 'CCC', id: 'XYZ' }];
    expect(withIds(given).map(ligandText)).toEqual([
      'LIG (from SMILES)',
      'DRG',
      'INH (from SMILES)',
      'XYZ (from SMILES)',
    ]);
    expect(ligandProblems([{ smiles: 'C', id: 'LIG' }, { code: 'LIG' }])).toMatchObject([
      { field: 'ligands[1]', reason: 'LIG is the name of another ligand already' },
    ]);
    expect(ligandProblems(['C', 'CC', 'CCC', 'CCCC'].map((smiles) => ({ smiles })))).toMatchObject([
      { field: 'ligands[3].id', reason: 'is missing' },
    ]);
  });

  it.each([
    ['CCO', { smiles: 'CCO' }],
    ['  C=CCO  ', { smiles: 'C=CCO' }],
    ['C=CCO\tL02', { smiles: 'C=CCO', id: 'L02' }],
    ['CCO L02 ethanol', { smiles: 'CCO L02 ethanol' }],
  ])('are parsed from the line %j', (line, ligand) => {
    expect(ligandOfLine(line)).toEqual(ligand);
    if ('id' in ligand) expect(ligandOfLine(lineOfLigand(ligand))).toEqual(ligand);
  });
});
