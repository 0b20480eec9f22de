import type { Point } from '../scene/point';

/** The backbone atoms of an amino acid, as far as they exist. */
interface Residue {
  /** `LEU A 33`. */
  readonly name: string;
  /** `LEU`. */
  readonly code: string;
  readonly n: Point | undefined;
  readonly ca: Point | undefined;
  readonly c: Point | undefined;
}

/** A residue with all of these atoms. */
type Whole = { readonly [Key in keyof Residue]: NonNullable<Residue[Key]> };

/** Amino acids that are evaluated: like MolProbity, without modified ones. */
const aminoAcids: ReadonlySet<string> = new Set(
  'ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET MSE PHE PRO SER THR TRP TYR VAL'.split(' '),
);

/** Maximum C–N distance of neighbours in Å. */
const longestBond = 2;

const pointOf = (line: string): Point => {
  const [x = 0, y = 0, z = 0] = [30, 38, 46].map((from) => Number.parseFloat(line.slice(from, from + 8)));
  return [x, y, z];
};

/** The lines of each residue; waters and other residues do not interrupt a chain. */
const groupsOf = (text: string): readonly (readonly string[])[] => {
  const groups: string[][] = [];
  let before: string | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('TER') || !aminoAcids.has(line.slice(17, 20).trim())) continue;
    const residueId = line.slice(20, 27);
    if (residueId === before) groups.at(-1)?.push(line);
    else groups.push([line]);
    before = residueId;
  }
  return groups;
};

/** The line of an atom, of its first alternate by letter. */
const atomOf = (lines: readonly string[], name: string): string | undefined =>
  lines
    .filter((line) => line.slice(12, 16) === name)
    .toSorted((one, other) => one.charCodeAt(16) - other.charCodeAt(16))[0];

const residueOf = (lines: readonly string[]): Residue => {
  const [n, ca, c] = [' N  ', ' CA ', ' C  '].map((name) => atomOf(lines, name));
  const line = ca ?? lines[0] ?? '';
  const [code, chain, number] = [line.slice(17, 20).trim(), line.slice(20, 22).trim(), line.slice(22, 27).trim()];
  const positionOf = (atom: string | undefined): Point | undefined => (atom === undefined ? undefined : pointOf(atom));
  return { name: `${code} ${chain} ${number}`, code, n: positionOf(n), ca: positionOf(ca), c: positionOf(c) };
};

const between = (from: Point, to: Point): Point => [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
const across = ([a, b, c]: Point, [x, y, z]: Point): Point => [b * z - c * y, c * x - a * z, a * y - b * x];
const along = (one: Point, other: Point): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

/**
 * The dihedral angle around the bond between the second and the third of four atoms, in degrees: 0 is cis, clockwise is
 * positive.
 */
export const dihedral = (...[first, second, third, fourth]: readonly [Point, Point, Point, Point]): number => {
  const bond = between(second, third);
  const [before, after] = [across(between(first, second), bond), across(bond, between(third, fourth))];
  const sine = along(across(before, after), bond) / Math.hypot(...bond);
  return (Math.atan2(sine, along(before, after)) * 180) / Math.PI;
};

const isWhole = (residue: Residue | undefined): residue is Whole =>
  residue?.n !== undefined && residue.ca !== undefined && residue.c !== undefined;

const isBound = (c: Point, n: Point): boolean => Math.hypot(...between(c, n)) < longestBond;

/** An amino acid between two others. */
export interface Neighbours {
  readonly before: { readonly ca: Point | undefined; readonly c: Point };
  readonly residue: Whole;
  readonly after: Whole;
}

/**
 * Amino acids with a neighbour on both sides, in file order; only the first alternate.
 * @param text PDB lines from `modelText`
 */
export const neighboursIn = (text: string): readonly Neighbours[] => {
  const residues = groupsOf(text).map(residueOf);
  return residues.flatMap((residue, at) => {
    const [before, after] = [residues[at - 1], residues[at + 1]];
    if (before?.c === undefined || !isWhole(residue) || !isWhole(after)) return [];
    const { ca, c } = before;
    return isBound(c, residue.n) && isBound(residue.c, after.n) ? [{ before: { ca, c }, residue, after }] : [];
  });
};
