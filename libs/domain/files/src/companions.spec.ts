import { companionsAmong } from './index';

describe('companions', () => {
  const candidates = [
    '/c2/refine_001_001.mtz',
    '/c2/refine_001.pdb',
    '/c2/refine_0010.pdb',
    '/c2/refine_001_001.log',
    '/c3/refine_001_001.pdb',
    '/c2/overall_best.pdb',
    '/s/sub_05_pdbtools/model_with_ligand.pdb',
    '/s/sub_05_pdbtools/model.pdb',
    '/t/sub_05_pdbtools/model_with_ligand.pdb',
  ];

  it.each([
    ['/c2/refine_001_data.mtz', ['/c2/refine_001_001.mtz', '/c2/refine_001.pdb']],
    ['/c2/overall_best_denmod_map_coeffs.mtz', ['/c2/overall_best.pdb']],
    ['/s/sub_04_ligandfit/ligand_fit_1.pdb', ['/s/sub_05_pdbtools/model_with_ligand.pdb']],
    ['/c2/refine_001_001.mtz', []],
    ['/c2/model.pdb', []],
  ])('of %s are those of its run that are named after it', (path, expected) => {
    expect(companionsAmong(candidates)([path])).toEqual(expected);
  });
});
