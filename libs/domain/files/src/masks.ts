import type { SessionFile } from '@fleet/contracts/sessions';
import { stemOf } from './name-glob';

/** "mask" or "msk" as a word of its own; a "masked" map is density. */
const saysMask = /(?:^|[^a-z])(?:mask|msk)(?![a-z])/i;
const saysHalf = /half/i;

/**
 * Whether a map is a mask. Its values decide where somebody has looked at them and found one (`map.mask`); otherwise its name does, because a
 * soft or scaled mask has other values. A half map whose name contains "mask" stays a half map.
 */
export const isMask = ({ path, facts: { format, map } }: SessionFile): boolean => {
  if (format !== 'map') return false;
  const stem = stemOf(path);
  return map?.mask === true || (saysMask.test(stem) && !saysHalf.test(stem));
};
