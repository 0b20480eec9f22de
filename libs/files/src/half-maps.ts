import type { SessionFile } from '@fleet/contracts';
import { stemOf } from './name-glob';

const token = /(^|[-_. ])(?:half[-_]?)?(?:map[-_]?)?(1|2|a|b)(?=$|[-_. ])/i;
const partnerOf: Readonly<Record<string, string>> = { '1': '2', '2': '1', a: 'b', b: 'a' };

/** Stem with its 1/2 or a/b replaced by the partner's, or undefined where it has none. The last such token counts. */
const partnerStem = (stem: string): string | undefined => {
  const all = [...stem.matchAll(new RegExp(token, 'gi'))];
  const found = all.at(-1);
  const mark = found?.[2];
  if (found === undefined || mark === undefined) return undefined;
  const at = found.index + found[0].length - 1;
  return `${stem.slice(0, at)}${partnerOf[mark.toLowerCase()] ?? mark}${stem.slice(at + 1)}`.toLowerCase();
};

const sameGrid = (one: SessionFile, other: SessionFile): boolean =>
  one.cycle === other.cycle && String(one.facts.map?.grid) === String(other.facts.map?.grid);

/** Processed maps are never halves, whatever number stands in their names. */
const processed = /sharpen|optimi[sz]ed|denmod|density_modified/i;
const saysHalf = /half/i;

const isPair = (one: SessionFile, other: SessionFile): boolean => {
  if (!sameGrid(one, other)) return false;
  const [stem, otherStem] = [stemOf(one.path), stemOf(other.path)];
  return (saysHalf.test(stem) && saysHalf.test(otherStem)) || partnerStem(stem) === otherStem.toLowerCase();
};

/**
 * The half maps among these files. A map is a half only where its partner is here too: same cycle, same grid, and either both names
 * say "half" or they differ in 1/2 or a/b alone. A lone "half" map is used as a full map.
 */
export const halfMapsOf = (files: readonly SessionFile[]): ReadonlySet<SessionFile> => {
  const maps = files.filter((file) => file.facts.format === 'map' && !processed.test(stemOf(file.path)));
  return new Set(maps.filter((one) => maps.some((other) => other !== one && isPair(one, other))));
};
