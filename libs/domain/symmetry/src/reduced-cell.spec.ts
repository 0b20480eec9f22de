import type { UnitCell } from '@fleet/contracts/sessions';
import { isNearCell, nearlyReducedCells, reducedCell } from './reduced-cell';

/** To 0.001 Å and 0.001°. */
const rounded = (cell: UnitCell | undefined): readonly number[] | undefined =>
  cell?.map((value) => Math.round(value * 1000) / 1000);

describe('reducedCell', () => {
  // Reference: cctbx 2025, `crystal.symmetry(…).niggli_cell()`.
  it.each<[UnitCell, string, UnitCell]>([
    [[77.3, 77.3, 38, 90, 90, 90], 'P 43 21 2', [38, 77.3, 77.3, 90, 90, 90]],
    [[57.9, 57.9, 150.1, 90, 90, 120], 'P 61 2 2', [57.9, 57.9, 150.1, 90, 90, 120]],
    [[104.4, 104.4, 124.25, 90, 90, 120], 'R 3:H', [73.1332, 73.1332, 73.1332, 91.0844, 91.0844, 91.0844]],
    [[104.4, 104.4, 124.25, 90, 90, 120], 'H 3', [73.1332, 73.1332, 73.1332, 91.0844, 91.0844, 91.0844]],
    [[60, 60, 60, 85.3, 85.3, 85.3], 'R 3:R', [60, 60, 60, 85.3, 85.3, 85.3]],
    [[92.1, 46.2, 60.3, 90, 107.2, 90], 'C 1 2 1', [46.2, 51.519, 60.3, 105.3264, 90, 116.6397]],
    [[60.3, 46.2, 92.1, 90, 107.2, 90], 'I 1 2 1', [46.2, 52.3651, 60.3, 108.4042, 90, 116.1762]],
    [[46.2, 92.1, 60.3, 90, 90, 107.2], 'B 1 1 2', [37.982, 37.982, 90.002, 97.3631, 97.3631, 105.0836]],
    [[31.1, 52.2, 90.5, 90, 90, 90], 'C 2 2 21', [30.3811, 30.3811, 90.5, 90, 90, 118.4283]],
    [[78.1, 93.4, 121.7, 90, 90, 90], 'F 2 2 2', [60.8752, 60.8752, 72.3023, 110.2708, 110.2708, 100.196]],
    [[65.1, 65.1, 65.1, 90, 90, 90], 'I 2 3', [56.3783, 56.3783, 56.3783, 109.4712, 109.4712, 109.4712]],
    [[150, 150, 150, 90, 90, 90], 'F 4 3 2', [106.066, 106.066, 106.066, 60, 60, 60]],
    [[79, 79, 37.9, 90, 90, 90], 'I 41', [37.9, 58.9882, 58.9882, 84.0764, 71.2614, 71.2614]],
    [[34.2, 45.1, 98.2, 95.2, 101.3, 88.1], 'P 1', [34.2, 45.1, 97.4512, 94.5709, 98.8294, 91.9]],
    [[40, 50, 60, 70, 80, 65], 'P 1', [40, 49.0869, 60, 101.9395, 100, 112.6066]],
  ])('of %j in %s is %j, as cctbx has it', (cell, group, expected) => {
    const found = reducedCell(cell, group) ?? [];
    expect(found).toHaveLength(6);
    for (const [at, value] of expected.entries()) expect(found[at]).toBeCloseTo(value, 2);
  });

  it.each<[string, UnitCell]>([
    ['without edges', [0, 0, 0, 90, 90, 90]],
    ['with angles that do not close', [50, 60, 70, 30, 30, 120]],
    ['with an angle of 180°', [50, 60, 70, 90, 90, 180]],
  ])('is undefined for a cell %s', (_, cell) => {
    expect(reducedCell(cell)).toBeUndefined();
  });
});

describe('nearlyReducedCells', () => {
  const tolerance = { edges: 0.01, angles: 1 };
  const matches = (one: UnitCell, other: UnitCell): boolean => {
    const wanted = reducedCell(other) ?? one;
    return nearlyReducedCells(one, tolerance).some((cell) => isNearCell(cell, wanted, tolerance));
  };

  it.each<[string, UnitCell, UnitCell]>([
    ['two edges that change places', [40, 40.1, 70, 81, 84, 88], [40.15, 40, 70, 81, 84, 88]],
    ['an angle on the other side of 90°', [40, 50, 60, 89.8, 85, 89.9], [40, 50, 60, 90.2, 85, 89.9]],
    ['another primitive cell of the same lattice', [40, 50, 60, 89.8, 85, 89.9], [40, 50, 60, 89.8, 95, 90.1]],
    ['an edge 0.9 % longer', [40, 50, 60, 90, 95, 90], [40.36, 50, 60, 90, 95, 90]],
  ])('match %s', (_, one, other) => {
    expect(matches(one, other)).toBe(true);
    expect(matches(other, one)).toBe(true);
  });

  it.each<[string, UnitCell, UnitCell]>([
    ['an edge 2 % longer', [40, 50, 60, 90, 95, 90], [40.8, 50, 60, 90, 95, 90]],
    ['an angle of 3° more', [40, 50, 60, 90, 95, 90], [40, 50, 60, 90, 98, 90]],
    ['all angles acute for all obtuse', [40, 50, 60, 80, 82, 84], [40, 50, 60, 100, 98, 96]],
  ])('do not match %s', (_, one, other) => {
    expect(matches(one, other)).toBe(false);
  });

  it('are few and begin with the reduced cell itself', () => {
    expect(rounded(nearlyReducedCells([78, 78, 37, 90, 90, 90], tolerance)[0])).toEqual([37, 78, 78, 90, 90, 90]);
    expect(nearlyReducedCells([78, 78, 37, 90, 90, 90], tolerance)).toHaveLength(1);
    expect(nearlyReducedCells([65.1, 65.1, 65.1, 90, 90, 90], tolerance, 'I 2 3').length).toBeLessThan(60);
  });
});
