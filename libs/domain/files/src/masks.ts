import type { SessionFile } from '@fleet/contracts/sessions';
import { stemOf } from './name-glob';

/** "mask" or "msk" as a separate word; a "masked" map is density. */
const saysMask = /(?:^|[^a-z])(?:mask|msk)(?![a-z])/i;
const saysHalf = /half/i;

/**
 * Whether a map is a mask. Its values decide: flat values are a mask's (`map.mask`), noise at the rim is density's
 * (`map.fingerprint`). If they do not decide, its name does. A half map whose name contains "mask" stays a half map.
 */
export const isMask = ({ path, facts: { format, map } }: SessionFile): boolean => {
  if (format !== 'map') return false;
  const stem = stemOf(path);
  if (map?.mask === true) return true;
  return map?.fingerprint === undefined && saysMask.test(stem) && !saysHalf.test(stem);
};
