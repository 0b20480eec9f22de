import type { SessionFile } from '@fleet/contracts/sessions';
import { stemOf } from './name-glob';

/** "mask" or "msk" as a separate word; a "masked" map is density. */
const saysMask = /(?:^|[^a-z])(?:mask|msk)(?![a-z])/i;
const saysHalf = /half/i;

/** A difference map (not 2Fo-Fc), or the local resolution of a map. */
const saysDerived =
  /(?:^|[^a-z0-9])(?:m?fo[-_ ]?d?fc|diff(?:erence)?(?:[-_ ]?map)?|(?:map[-_ ]?)?loc(?:al)?[-_ ]?res(?:olution)?|resmap|blocres)(?![a-z])/i;

/** Whether a map shows something else than the structure, by its name. */
export const isDerivedMap = ({ path, facts: { format } }: SessionFile): boolean =>
  format === 'map' && saysDerived.test(stemOf(path));

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
