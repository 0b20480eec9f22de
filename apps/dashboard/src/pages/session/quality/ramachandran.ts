import type { Point } from '../scene/point';
import { dihedral, neighboursIn, type Neighbours } from './backbone';
import { regions } from './ramachandran-regions';

/** Each class of residues has its own regions. */
export type ResidueClass = keyof typeof regions;
export type Region = 'favoured' | 'allowed' | 'outlier';

export const residueClasses = Object.keys(regions) as readonly ResidueClass[];

/** A residue with its backbone angles, in degrees. */
export interface Torsion {
  readonly name: string;
  readonly kind: ResidueClass;
  readonly phi: number;
  readonly psi: number;
  readonly region: Region;
  /** Of its CA, in Å. */
  readonly position: Point;
}

type Ring = readonly (readonly [number, number])[];

const ringsOf = (path: string): readonly Ring[] =>
  [...path.matchAll(/M([^Z]*)Z/g)].map(([, points = '']) =>
    points.split(' ').map((point) => {
      const [x = 0, y = 0] = point.split(',').map(Number);
      return [x, y] as const;
    }),
  );

const rings = Object.fromEntries(
  residueClasses.map((kind) => [
    kind,
    { favoured: ringsOf(regions[kind].favoured), allowed: ringsOf(regions[kind].allowed) },
  ]),
) as Readonly<Record<ResidueClass, Readonly<Record<'favoured' | 'allowed', readonly Ring[]>>>>;

/** Whether a ray from the point to the left crosses the outlines an odd number of times. */
const isWithin = (outlines: readonly Ring[], x: number, y: number): boolean => {
  let within = false;
  for (const ring of outlines) {
    let [fromX, fromY] = ring.at(-1) ?? [0, 0];
    for (const [toX, toY] of ring) {
      if (fromY > y !== toY > y && x > fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) within = !within;
      [fromX, fromY] = [toX, toY];
    }
  }
  return within;
};

/** Outlines end at the border of the plot: a point on it is inside. */
const offBorder = (degrees: number): number => Math.min(179.99, Math.max(-179.99, degrees));

/** The region of two angles, in degrees from -180 to 180. */
export const regionOf = (kind: ResidueClass, phi: number, psi: number): Region => {
  const [x, y] = [offBorder(phi), offBorder(psi)];
  if (isWithin(rings[kind].favoured, x, y)) return 'favoured';
  return isWithin(rings[kind].allowed, x, y) ? 'allowed' : 'outlier';
};

/** MolProbity's classes: Gly and Pro first, then all residues before Pro, then Ile and Val. */
const classOf = ({ before, residue, after }: Neighbours): ResidueClass => {
  if (residue.code === 'GLY') return 'glycine';
  if (residue.code === 'PRO') {
    const omega = before.ca && dihedral(before.ca, before.c, residue.n, residue.ca);
    return omega !== undefined && Math.abs(omega) < 90 ? 'cisProline' : 'transProline';
  }
  if (after.code === 'PRO') return 'preProline';
  return residue.code === 'ILE' || residue.code === 'VAL' ? 'ileVal' : 'general';
};

const torsionOf = (neighbours: Neighbours): Torsion => {
  const { before, residue, after } = neighbours;
  const { name, n, ca, c } = residue;
  const [phi, psi] = [dihedral(before.c, n, ca, c), dihedral(n, ca, c, after.n)];
  const kind = classOf(neighbours);
  return { name, kind, phi, psi, region: regionOf(kind, phi, psi), position: ca };
};

/**
 * The amino acids with a neighbour on both sides, in file order; only the first alternate.
 * @param text PDB lines from `modelText`
 */
export const torsionsOf = (text: string): readonly Torsion[] => neighboursIn(text).map(torsionOf);

/** Number of residues by region. */
export const regionCounts = (torsions: readonly Torsion[]): Readonly<Record<Region, number>> => {
  const counts = { favoured: 0, allowed: 0, outlier: 0 };
  for (const { region } of torsions) counts[region] += 1;
  return counts;
};

/** The URL parameter of a 3D position. */
export const pointParameter = ({ position }: Torsion): string => position.map((value) => value.toFixed(3)).join(',');
