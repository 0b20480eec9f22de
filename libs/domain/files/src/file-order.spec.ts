import type { SessionFile } from '@fleet/contracts/sessions';
import { aFile, dataFile, mapFile, modelFile } from '@fleet/testing';
import { inOrder } from './file-order';

const names = (files: readonly SessionFile[]): readonly string[] => inOrder(files).map(({ path }) => path);
const models = (...paths: readonly string[]): readonly SessionFile[] => paths.map((path) => modelFile(path));

describe('a numbered series', () => {
  it.each([
    ['refine_002.pdb', 'refine_001.pdb'],
    ['x_refine_012.pdb', 'x_refine_9.pdb'],
    ['refine_002_001.pdb', 'refine_001_003.pdb'],
    ['x_real_space_refined_001.pdb', 'x_real_space_refined_000.pdb'],
    ['x_refine_002_real_space_refined_000.pdb', 'x_refine_002.pdb'],
    ['x_refine_003.pdb', 'x_refine_002_real_space_refined_007.pdb'],
    ['model_v3.pdb', 'model_v2.pdb'],
    ['lyso-10.pdb', 'lyso-2.pdb'],
    ['My Model v2.pdb', 'My Model v1.pdb'],
    ['x refine 12.pdb', 'x refine 9.pdb'],
    ['refine_002.cif', 'refine_001.pdb'],
    ['X_Refine_002.pdb', 'x_refine_001.pdb'],
  ])('has %s before %s, in either order', (newer, older) => {
    expect(names(models(older, newer))).toEqual([newer, older]);
    expect(names(models(newer, older))).toEqual([newer, older]);
  });

  it.each([
    ['7w9w.pdb', '8w9w.pdb'],
    ['ranked_0.pdb', 'ranked_4.pdb'],
    ['x_predicted_model_1.pdb', 'x_predicted_model_2.pdb'],
    ['phaser_1.pdb', 'phaser_2.pdb'],
    ['001.pdb', '002.pdb'],
    ['a_refine_001.pdb', 'b_refine_002.pdb'],
  ])('does not include %s and %s, which stay as given', (one, other) => {
    expect(names(models(one, other))).toEqual([one, other]);
    expect(names(models(other, one))).toEqual([other, one]);
  });

  it('does not include raw data, half maps and outputs', () => {
    expect(names([dataFile({}, 'x_1.mtz'), dataFile({}, 'x_2.mtz')])).toEqual(['x_1.mtz', 'x_2.mtz']);
    expect(names([mapFile('half_1.mrc'), mapFile('half_2.mrc')])).toEqual(['half_1.mrc', 'half_2.mrc']);
    const outputs = models('m_1.pdb', 'm_2.pdb').map((file) => ({ ...file, cycle: 3 }));
    expect(names(outputs)).toEqual(['m_1.pdb', 'm_2.pdb']);
  });

  it('keeps the positions of others', () => {
    expect(names(models('a_1.pdb', 'x.pdb', 'a_2.pdb', 'a_10.pdb'))).toEqual([
      'a_10.pdb',
      'x.pdb',
      'a_2.pdb',
      'a_1.pdb',
    ]);
  });
});

it('puts merged data before unmerged in either order', () => {
  const merged = dataFile({}, 'merged.mtz');
  const unmerged = dataFile({ unmerged: true }, 'scaled.mtz');
  const xds = aFile({ path: 'XDS_ASCII.HKL', facts: { format: 'xds-ascii' } });
  expect(names([unmerged, xds, merged])[0]).toBe('merged.mtz');
  expect(names([merged, xds, unmerged])[0]).toBe('merged.mtz');
});
