import type { Point } from '../scene/point';
import { dihedral } from './backbone';
import { pointParameter, regionOf, residueClasses, torsionsOf } from './ramachandran';

interface Atom {
  readonly name: string;
  readonly residue: string;
  readonly number: number;
  readonly place: Point;
  readonly alternate?: string;
}

const line = ({ name, residue, number, place, alternate = ' ' }: Atom): string =>
  `ATOM      1 ${name.padEnd(4)}${alternate}${residue} A${String(number).padStart(4)}    ${place.map((value) => value.toFixed(3).padStart(8)).join('')}  1.00 20.00           ${name[1] ?? ''}  `;

const rad = (degrees: number): number => (degrees * Math.PI) / 180;

/** The atom that makes a bond, an angle and a dihedral with three others (natural extension reference frame). */
const placed = ([a, b, c]: readonly [Point, Point, Point], bond: number, angle: number, torsion: number): Point => {
  const minus = (one: Point, other: Point): Point => [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
  const cross = ([p, q, r]: Point, [x, y, z]: Point): Point => [q * z - r * y, r * x - p * z, p * y - q * x];
  const unit = (point: Point): Point => {
    const length = Math.hypot(...point);
    return [point[0] / length, point[1] / length, point[2] / length];
  };
  const along = unit(minus(c, b));
  const normal = unit(cross(minus(b, a), along));
  const third = cross(normal, along);
  const [x, y, z] = [
    -bond * Math.cos(rad(angle)),
    bond * Math.sin(rad(angle)) * Math.cos(rad(torsion)),
    bond * Math.sin(rad(angle)) * Math.sin(rad(torsion)),
  ];
  const at = (axis: 0 | 1 | 2): number => c[axis] + x * along[axis] + y * third[axis] + z * normal[axis];
  return [at(0), at(1), at(2)];
};

/** A peptide whose residues all have these angles. */
const peptide = (codes: readonly string[], phi: number, psi: number, omega = 180): readonly Atom[] => {
  const places: Point[] = [
    [0, 0, 0],
    [1.458, 0, 0],
    [2.009, 1.42, 0],
  ];
  const next = (bond: number, angle: number, torsion: number): void => {
    const [a, b, c] = places.slice(-3);
    if (a !== undefined && b !== undefined && c !== undefined) places.push(placed([a, b, c], bond, angle, torsion));
  };
  for (let at = 1; at < codes.length; at += 1) {
    next(1.329, 116.2, psi);
    next(1.458, 121.7, omega);
    next(1.525, 111.2, phi);
  }
  return places.map((place, at) => ({
    name: [' N', ' CA', ' C'][at % 3] ?? '',
    residue: codes[Math.floor(at / 3)] ?? '',
    number: Math.floor(at / 3) + 1,
    place,
  }));
};

const measured = (atoms: readonly Atom[]) => torsionsOf(atoms.map(line).join('\n'));

describe('the angles of a backbone', () => {
  it('have the sign of IUPAC: clockwise is positive', () => {
    const [first, second, third]: Point[] = [
      [0, 1, 0],
      [0, 0, 0],
      [0, 0, 1],
    ];
    const around = (fourth: Point): number => Math.round(dihedral(first!, second!, third!, fourth));
    expect([around([0, 1, 1]), around([-1, 0, 1]), around([1, 0, 1])]).toEqual([0, 90, -90]);
    expect(Math.abs(around([0, -1, 1]))).toBe(180);
  });

  it.each([
    [-57, -47, 'favoured'],
    [-120, 130, 'favoured'],
    [57, 47, 'favoured'],
    [60, -150, 'allowed'],
    [120, 100, 'outlier'],
    [-160, 80, 'allowed'],
  ])('of φ %d, ψ %d are measured, and %s for an alanine', (phi, psi, region) => {
    const [torsion] = measured(peptide(['ALA', 'ALA', 'ALA'], phi, psi));
    expect(torsion).toMatchObject({ name: 'ALA A 2', kind: 'general', region });
    expect(torsion?.phi).toBeCloseTo(phi, 0);
    expect(torsion?.psi).toBeCloseTo(psi, 0);
  });

  it('are computed only for residues with a neighbour on both sides', () => {
    const atoms = peptide(['ALA', 'GLY', 'SER', 'ALA', 'ALA'], -57, -47);
    expect(measured(atoms).map(({ name }) => name)).toEqual(['GLY A 2', 'SER A 3', 'ALA A 4']);
    const broken = atoms.map((atom) =>
      atom.number < 4 ? atom : { ...atom, place: [atom.place[0] + 5, atom.place[1], atom.place[2]] as const },
    );
    expect(measured(broken).map(({ name }) => name)).toEqual(['GLY A 2']);
    expect(measured(atoms.filter(({ number, name }) => number !== 3 || name !== ' C')).map(({ name }) => name)).toEqual(
      [],
    );
    expect(measured(atoms.filter(({ number, name }) => number !== 1 || name !== ' N'))).toHaveLength(3);
    expect(measured(atoms.map((atom) => (atom.number === 3 ? { ...atom, residue: 'HOH' } : atom)))).toEqual([]);
  });

  it('are those of the first of several alternates', () => {
    const atoms = peptide(['ALA', 'ALA', 'ALA'], -57, -47);
    const others = peptide(['ALA', 'ALA', 'ALA'], 57, 47);
    const both = atoms.flatMap((atom, at) => [
      { ...(others[at] ?? atom), alternate: 'B' },
      { ...atom, alternate: 'A' },
    ]);
    expect(measured(both)).toHaveLength(1);
    expect(measured(both)[0]?.phi).toBeCloseTo(-57, 0);
  });
});

describe('the classes of residues', () => {
  it.each([
    [['ALA', 'GLY', 'PRO'], 180, 'glycine'],
    [['ALA', 'PRO', 'PRO'], 180, 'transProline'],
    [['ALA', 'PRO', 'ALA'], 0, 'cisProline'],
    [['ALA', 'ILE', 'PRO'], 180, 'preProline'],
    [['ALA', 'VAL', 'ALA'], 180, 'ileVal'],
    [['ALA', 'MSE', 'ALA'], 180, 'general'],
  ])('of the middle of %j with ω %d is %s', (codes, omega, kind) => {
    expect(measured(peptide(codes, -70, 140, omega)).map((torsion) => torsion.kind)).toEqual([kind]);
  });

  it('have regions that meet at the border of the plot, on whichever side of it', () => {
    for (const kind of residueClasses)
      for (let at = -180; at <= 180; at += 7) {
        expect(regionOf(kind, -180, at)).toBe(regionOf(kind, 180, at));
        expect(regionOf(kind, at, -180)).toBe(regionOf(kind, at, 180));
      }
    expect(regionOf('glycine', 180, 180)).toBe('favoured');
    expect(regionOf('general', 180, 180)).not.toBe('outlier');
  });

  it('lead to 3D by the place of the CA', () => {
    const [torsion] = measured(peptide(['ALA', 'ALA', 'ALA'], -57, -47));
    expect(torsion && pointParameter(torsion)).toMatch(/^-?\d+\.\d{3},-?\d+\.\d{3},-?\d+\.\d{3}$/);
  });
});
