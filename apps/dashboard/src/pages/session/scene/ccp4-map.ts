import { ElMap } from 'uglymol';
import { sceneTexts } from '../../../texts/scene';
import type { Density } from './density';
import { limits } from './limits';

const headerBytes = 1024;
const words = { size: 0, start: 4, grid: 7, cell: 10, axes: 16, origin: 49 } as const;

const productOf = (view: Int32Array, from: number): number =>
  [0, 1, 2].reduce((product, at) => product * Math.max(0, view[from + at] ?? 0), 1);

/** Where the box lies: programs of electron microscopy write it in Å, those of crystallography as grid points. */
const placeBox = (file: ArrayBuffer): void => {
  const [whole, real] = [new Int32Array(file, 0, 256), new Float32Array(file, 0, 256)];
  if ([0, 1, 2].some((at) => whole[words.start + at] !== 0)) return;
  for (const at of [0, 1, 2]) {
    const axis = (whole[words.axes + at] ?? 0) - 1;
    const step = (real[words.cell + axis] ?? 0) / (whole[words.grid + axis] ?? 1);
    const points = Math.round((real[words.origin + axis] ?? 0) / step);
    if (Number.isSafeInteger(points)) whole[words.start + at] = points;
  }
};

/**
 * The density of a CCP4 or MRC map.
 * @throws Error with a sentence where it is damaged or larger than `limits`
 */
export const readMap = (file: ArrayBuffer): Density => {
  if (file.byteLength < headerBytes) throw new Error(sceneTexts.damaged('map'));
  const header = new Int32Array(file, 0, 256);
  const points = Math.max(productOf(header, words.size), productOf(header, words.grid));
  if (points > limits.points) throw new Error(sceneTexts.tooFine(points, limits.points));
  placeBox(file);
  const map = new ElMap();
  try {
    map.from_ccp4(file, true);
  } catch (error) {
    throw new Error(sceneTexts.damaged('map'), { cause: error });
  }
  const { grid, unit_cell: cell, stats } = map;
  if (grid === null || cell === null) throw new Error(sceneTexts.damaged('map'));
  return {
    cell: cell.parameters,
    dimensions: grid.dim,
    values: grid.values as Float32Array<ArrayBuffer>,
    mean: stats.mean,
    rms: stats.rms,
    unit: '',
  };
};
