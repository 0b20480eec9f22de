import { readMap } from './ccp4-map';
import { densityOf } from './density';
import type { MapAnswer, MapRequest } from './map-messages';
import { readMtz } from './mtz';
import { peaksOf } from './peaks';

/** Makes maps beside the page, which stays usable meanwhile. */
const answer = (message: MapAnswer): void => {
  const transfer = 'map' in message ? [message.map.values.buffer] : [];
  postMessage(message, { transfer });
};

const make = ({ file, labels, atoms }: MapRequest): void => {
  if (labels === undefined) {
    answer({ kind: 'density', map: readMap(file) });
    return;
  }
  const coefficients = readMtz(file);
  if (labels.density !== undefined) answer({ kind: 'density', map: densityOf(coefficients, labels.density) });
  if (labels.difference === undefined) return;
  const map = densityOf(coefficients, labels.difference);
  answer({ kind: 'difference', map, peaks: peaksOf(map, atoms) });
};

addEventListener('message', ({ data }: MessageEvent<MapRequest>) => {
  try {
    make(data);
    answer({ kind: 'done' });
  } catch (error) {
    answer({ kind: 'problem', problem: error instanceof Error ? error.message : String(error) });
  }
});
