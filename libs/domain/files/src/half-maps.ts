import type { SessionFile } from '@fleet/contracts/sessions';
import { groupBy } from './group-by';
import { isMask } from './masks';
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

/** Maps that may be halves of each other have the same one. */
const gridKeyOf = ({ cycle, facts }: SessionFile): string => `${cycle} ${String(facts.map?.grid)}`;

/** Processed maps are never halves, whatever number stands in their names. */
const processed = /sharpen|optimi[sz]ed|denmod|density_modified/i;
const saysHalf = /half/i;

/** The maps of one cycle and grid, for looking up partners. */
interface GridGroup {
  readonly stems: ReadonlySet<string>;
  /** Names that say "half". */
  readonly halves: number;
}

const mapsByGrid = (maps: readonly SessionFile[]): ReadonlyMap<string, GridGroup> => {
  const groups = groupBy(maps, gridKeyOf);
  return new Map(
    [...groups].map(([name, members]) => {
      const stems = members.map(({ path }) => stemOf(path));
      const halves = stems.filter((stem) => saysHalf.test(stem)).length;
      return [name, { stems: new Set(stems.map((stem) => stem.toLowerCase())), halves }];
    }),
  );
};

/** No name is its own partner's: the one mark is always replaced by the other. */
const hasPartner = ({ path }: SessionFile, group: GridGroup | undefined): boolean => {
  const stem = stemOf(path);
  return ((group?.halves ?? 0) > 1 && saysHalf.test(stem)) || group?.stems.has(partnerStem(stem) ?? '/') === true;
};

/**
 * The half maps among these files, whatever their order. A map is a half where its partner is here too: same cycle, same grid, and either
 * both names say "half" or they differ in 1/2 or a/b alone. A lone "half" map is one only beside a full map of the same cycle; otherwise it
 * is used as a full map. Masks and processed maps are never halves.
 */
export const halfMapsOf = (files: readonly SessionFile[]): ReadonlySet<SessionFile> => {
  const maps = files.filter((file) => file.facts.format === 'map' && !isMask(file));
  const raw = maps.filter(({ path }) => !processed.test(stemOf(path)));
  const groups = mapsByGrid(raw);
  const paired = new Set(raw.filter((one) => hasPartner(one, groups.get(gridKeyOf(one)))));
  const single = maps.filter((file) => !paired.has(file));
  const fullMapCycles = new Set(single.filter(({ path }) => !saysHalf.test(stemOf(path))).map(({ cycle }) => cycle));
  const isLone = (file: SessionFile): boolean => saysHalf.test(stemOf(file.path)) && fullMapCycles.has(file.cycle);
  return new Set(raw.filter((file) => paired.has(file) || isLone(file)));
};
