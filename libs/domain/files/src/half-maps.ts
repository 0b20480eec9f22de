import type { SessionFile } from '@fleet/contracts/sessions';
import { groupBy } from './group-by';
import { valuesAreHalves } from './map-agreement';
import { isDerivedMap, isMask } from './masks';
import { baseName, stemOf } from './name-glob';

const token = /(^|[-_. ])(?:half[-_]?)?(?:map[-_]?)?(1|2|a|b)(?=$|[-_. ])/i;
const partnerOf: Readonly<Record<string, string>> = { '1': '2', '2': '1', a: 'b', b: 'a' };

/** Stem with its 1/2 or a/b replaced with the partner's, or undefined without such a token. The last one counts. */
const partnerStem = (stem: string): string | undefined => {
  const all = [...stem.matchAll(new RegExp(token, 'gi'))];
  const found = all.at(-1);
  const mark = found?.[2];
  if (found === undefined || mark === undefined) return undefined;
  const at = found.index + found[0].length - 1;
  return `${stem.slice(0, at)}${partnerOf[mark.toLowerCase()] ?? mark}${stem.slice(at + 1)}`.toLowerCase();
};

/** The same for maps that may be halves of each other. */
const gridKeyOf = ({ cycle, facts: { map, cell } }: SessionFile): string =>
  `${cycle} ${String(map?.grid)} ${String(cell?.map((value) => value.toFixed(1)))}`;

/** Processed maps are never halves, whatever their values and whatever numbers are in their names. */
const processed = /sharpen|optimi[sz]ed|denmod|density_modified/i;
const saysHalf = (file: SessionFile): boolean => /half/i.test(stemOf(file.path));
/** Maximum number of maps of one grid whose values are compared: every pair takes time, and one reconstruction has few maps. */
const maxCompared = 50;

/** The maps of one cycle, grid and cell, for looking up partners. */
interface GridGroup {
  readonly byStem: ReadonlyMap<string, SessionFile>;
  /** Number of names that contain "half". */
  readonly halves: readonly SessionFile[];
  /** For each map the first other one with the values of its other half. */
  readonly byValues: ReadonlyMap<SessionFile, SessionFile>;
}

const partnersByValues = (maps: readonly SessionFile[]): ReadonlyMap<SessionFile, SessionFile> => {
  const partners = new Map<SessionFile, SessionFile>();
  if (maps.length > maxCompared) return partners;
  for (const [at, one] of maps.entries()) {
    for (const other of maps.slice(at + 1)) {
      if (valuesAreHalves(one, other) !== true) continue;
      if (!partners.has(one)) partners.set(one, other);
      if (!partners.has(other)) partners.set(other, one);
    }
  }
  return partners;
};

const mapsByGrid = (maps: readonly SessionFile[]): ReadonlyMap<string, GridGroup> =>
  new Map(
    [...groupBy(maps, gridKeyOf)].map(([name, members]) => {
      const byStem = new Map(members.map((file) => [stemOf(file.path).toLowerCase(), file]));
      return [name, { byStem, halves: members.filter(saysHalf), byValues: partnersByValues(members) }];
    }),
  );

/** The partner by values; otherwise both names contain "half"; otherwise the names differ only in the mark and the values do not contradict. */
const partnerIn = (file: SessionFile, group: GridGroup | undefined): SessionFile | undefined => {
  const byValues = group?.byValues.get(file);
  if (byValues !== undefined) return byValues;
  // No name is its own partner: the mark is always replaced.
  const marked = group?.byStem.get(partnerStem(stemOf(file.path)) ?? '/');
  if (saysHalf(file)) return marked ?? group?.halves.find((other) => other !== file);
  return marked !== undefined && valuesAreHalves(file, marked) !== false ? marked : undefined;
};

/** The half maps among some files. */
export interface HalfMaps {
  /** Those whose partner is there, with the partner. */
  readonly partners: ReadonlyMap<SessionFile, SessionFile>;
  readonly halves: ReadonlySet<SessionFile>;
}

const known = new WeakMap<readonly SessionFile[], HalfMaps>();

const pairedIn = (raw: readonly SessionFile[]): ReadonlyMap<SessionFile, SessionFile> => {
  const groups = mapsByGrid(raw);
  return new Map(
    raw.flatMap((file) => {
      const partner = partnerIn(file, groups.get(gridKeyOf(file)));
      return partner === undefined ? [] : [[file, partner] as const];
    }),
  );
};

/**
 * The half maps among these files; which are halves does not depend on their order. A map is a half if its partner is present: same cycle,
 * grid and cell, and values of independent half maps. If the values do not decide, both names contain "half" or differ only in 1/2 or a/b. A
 * single "half" map is one only beside a full map of the same cycle; otherwise it is used as a full map. Masks, processed and derived maps are
 * never halves. The maps are paired once for each list of files.
 */
export const halfMapsOf = (files: readonly SessionFile[]): HalfMaps => {
  const before = known.get(files);
  if (before !== undefined) return before;
  const maps = files.filter((file) => file.facts.format === 'map' && !isMask(file) && !isDerivedMap(file));
  const raw = maps.filter((file) => !processed.test(stemOf(file.path)));
  const partners = pairedIn(raw);
  const single = maps.filter((file) => !partners.has(file));
  const fullMapCycles = new Set(single.filter((file) => !saysHalf(file)).map(({ cycle }) => cycle));
  const isLone = (file: SessionFile): boolean => saysHalf(file) && fullMapCycles.has(file.cycle);
  const found = { partners, halves: new Set(raw.filter((file) => partners.has(file) || isLone(file))) };
  known.set(files, found);
  return found;
};

/** Notes for the submitter about a half map without its other half, or whose name and values disagree: which of the two counts, and why. */
export const halfMapNotes = (file: SessionFile, { partners, halves }: HalfMaps): readonly string[] => {
  const partner = partners.get(file);
  if (partner === undefined)
    return file.facts.format !== 'map' || halves.has(file) || !saysHalf(file)
      ? []
      : ['Its name says half map, and its other half is missing: it is used as a full map.'];
  const agree = valuesAreHalves(file, partner);
  const other = baseName(partner.path);
  if (agree === true && !(saysHalf(file) && saysHalf(partner)))
    return [
      `Read as a half map, by its values: it shows the same as ${other}, and the noise of the two is independent.`,
    ];
  return agree === false && saysHalf(file)
    ? [
        `Read as a half map, by its name alone: its values and those of ${other} are not those of independent half maps. Check the two files.`,
      ]
    : [];
};
