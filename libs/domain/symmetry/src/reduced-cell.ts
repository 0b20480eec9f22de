import type { UnitCell } from '@fleet/contracts/sessions';

type Vector = readonly [number, number, number];
/** Rows are the basis vectors in terms of those of another basis. */
type Basis = readonly [Vector, Vector, Vector];

/** Dot products of the basis vectors in Å². */
interface Metric {
  readonly aa: number;
  readonly bb: number;
  readonly cc: number;
  readonly bc: number;
  readonly ac: number;
  readonly ab: number;
}

const degree = Math.PI / 180;
const identity: Basis = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Primitive bases of centred lattices; R: hexagonal axes, obverse (International Tables A). */
const primitiveBases: Readonly<Record<string, Basis>> = {
  A: [
    [1, 0, 0],
    [0, 0.5, 0.5],
    [0, -0.5, 0.5],
  ],
  B: [
    [0.5, 0, 0.5],
    [0, 1, 0],
    [-0.5, 0, 0.5],
  ],
  C: [
    [0.5, 0.5, 0],
    [-0.5, 0.5, 0],
    [0, 0, 1],
  ],
  I: [
    [-0.5, 0.5, 0.5],
    [0.5, -0.5, 0.5],
    [0.5, 0.5, -0.5],
  ],
  F: [
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ],
  R: [
    [2 / 3, 1 / 3, 1 / 3],
    [-1 / 3, 1 / 3, 1 / 3],
    [-1 / 3, -2 / 3, 1 / 3],
  ],
};

const metricOf = ([a, b, c, alpha, beta, gamma]: UnitCell): Metric => ({
  aa: a * a,
  bb: b * b,
  cc: c * c,
  bc: b * c * Math.cos(alpha * degree),
  ac: a * c * Math.cos(beta * degree),
  ab: a * b * Math.cos(gamma * degree),
});

const dot = ({ aa, bb, cc, bc, ac, ab }: Metric, [a, b, c]: Vector, [x, y, z]: Vector): number =>
  a * x * aa + b * y * bb + c * z * cc + (b * z + c * y) * bc + (a * z + c * x) * ac + (a * y + b * x) * ab;

const inBasis = (metric: Metric, [a, b, c]: Basis): Metric => ({
  aa: dot(metric, a, a),
  bb: dot(metric, b, b),
  cc: dot(metric, c, c),
  bc: dot(metric, b, c),
  ac: dot(metric, a, c),
  ab: dot(metric, a, b),
});

const cellOf = ({ aa, bb, cc, bc, ac, ab }: Metric): UnitCell => {
  const [a, b, c] = [Math.sqrt(aa), Math.sqrt(bb), Math.sqrt(cc)];
  const angle = (product: number): number => Math.acos(Math.max(-1, Math.min(1, product))) / degree;
  return [a, b, c, angle(bc / (b * c)), angle(ac / (a * c)), angle(ab / (a * b))];
};

const combined = ([a, b, c]: Basis, [x, y, z]: Vector): Vector => [
  x * a[0] + y * b[0] + z * c[0],
  x * a[1] + y * b[1] + z * c[1],
  x * a[2] + y * b[2] + z * c[2],
];

/** A metric in the notation of Křivý and Gruber, with ξ = 2 b·c, η = 2 a·c and ζ = 2 a·b, and comparisons that tolerate rounding. */
interface Compared {
  readonly aa: number;
  readonly bb: number;
  readonly cc: number;
  readonly xi: number;
  readonly eta: number;
  readonly zeta: number;
  readonly less: (one: number, other: number) => boolean;
  readonly same: (one: number, other: number) => boolean;
}

const compared = ({ aa, bb, cc, bc, ac, ab }: Metric, eps: number): Compared => ({
  ...{ aa, bb, cc, xi: 2 * bc, eta: 2 * ac, zeta: 2 * ab },
  less: (one, other) => one < other - eps,
  same: (one, other) => Math.abs(one - other) <= eps,
});

type Step = (metric: Compared) => Basis | undefined;
const [x, y, z] = identity;

/** Steps 1 and 2: A ≤ B ≤ C. */
const sortedEdges: Step = ({ aa, bb, cc, xi, eta, zeta, less, same }) => {
  const isBehind = (one: number, other: number, ofOne: number, ofOther: number): boolean =>
    less(other, one) || (same(one, other) && less(Math.abs(ofOther), Math.abs(ofOne)));
  if (isBehind(aa, bb, xi, eta)) return [[0, -1, 0], [-1, 0, 0], [0, 0, -1]]; // prettier-ignore
  if (isBehind(bb, cc, eta, zeta)) return [[-1, 0, 0], [0, 0, -1], [0, -1, 0]]; // prettier-ignore
  return undefined;
};

/** Inversions of two axes. */
const turns: readonly Vector[] = [
  [-1, 1, 1],
  [1, -1, 1],
  [1, 1, -1],
];

/** Steps 3 and 4: all angles acute, or none. */
const alikeAngles: Step = ({ xi, eta, zeta, same }) => {
  const signs = [xi, eta, zeta].map((value) => (same(value, 0) ? 0 : Math.sign(value)));
  const wanted = signs.reduce((product, sign) => product * sign, 1) > 0 ? 1 : -1;
  if (signs.every((sign) => sign === 0 || sign === wanted)) return undefined;
  const turn = turns.find(([i, j, k]) =>
    [j * k, i * k, i * j].every((product, at) => signs[at] === 0 || product * (signs[at] ?? 0) === wanted),
  );
  return turn && [[turn[0], 0, 0], [0, turn[1], 0], [0, 0, turn[2]]]; // prettier-ignore
};

/** Whether an axis gets shorter, or stays equal, by adding or subtracting another one: in steps 5 to 7. */
const isLong = (product: number, edge: number, twice: number, other: number, { less, same }: Compared): boolean =>
  less(edge, Math.abs(product)) ||
  (same(product, edge) && less(2 * twice, other)) ||
  (same(product, -edge) && less(other, 0));

/** Steps 5 to 8: no sum or difference of axes is shorter than an axis. */
const shortestAxes: Step = (metric) => {
  const { aa, bb, xi, eta, zeta, less, same } = metric;
  if (isLong(xi, bb, eta, zeta, metric)) return [x, y, [0, -Math.sign(xi), 1]];
  if (isLong(eta, aa, xi, zeta, metric)) return [x, y, [-Math.sign(eta), 0, 1]];
  if (isLong(zeta, aa, xi, eta, metric)) return [x, [-Math.sign(zeta), 1, 0], z];
  const sum = xi + eta + zeta + aa + bb;
  return less(sum, 0) || (same(sum, 0) && less(0, 2 * (aa + eta) + zeta)) ? [x, y, [1, 1, 1]] : undefined;
};

/** The first step of Křivý and Gruber that a metric still needs, in terms of its basis; undefined: it is reduced. */
const nextStep: Step = (metric) => sortedEdges(metric) ?? alikeAngles(metric) ?? shortestAxes(metric);

/** Relative to the cube root of the volume: smaller differences are rounding errors (Grosse-Kunstleve, Sauter & Adams 2004). */
const relativeEpsilon = 1e-5;
/** More than any cell of a crystal needs. */
const mostSteps = 1000;

/** The basis in which a primitive cell is reduced. */
const reducedBasis = (metric: Metric): Basis => {
  const { aa, bb, cc } = metric;
  const eps = relativeEpsilon * Math.cbrt(aa * bb * cc);
  let basis = identity;
  for (let count = 0; count < mostSteps; count += 1) {
    const step = nextStep(compared(inBasis(metric, basis), eps));
    if (step === undefined) return basis;
    const before = basis;
    basis = [combined(before, step[0]), combined(before, step[1]), combined(before, step[2])];
  }
  return basis;
};

/** Whether six numbers are a valid cell. */
const isCell = (cell: UnitCell): boolean => {
  const [alpha, beta, gamma] = cell.slice(3).map((angle) => Math.cos(angle * degree)) as [number, number, number];
  const closes = 1 - alpha * alpha - beta * beta - gamma * gamma + 2 * alpha * beta * gamma;
  return (
    cell.every((value) => Number.isFinite(value) && value > 0) && Math.max(...cell.slice(3)) < 180 && closes > 1e-6
  );
};

const isRhombohedral = ([a, b, c, alpha, beta, gamma]: UnitCell): boolean =>
  [b, c].every((edge) => Math.abs(edge - a) < 0.01 * a) &&
  [beta, gamma].every((angle) => Math.abs(angle - alpha) < 0.5);

/** A primitive cell of the lattice. `R` with rhombohedral axes is primitive; `H` is the PDB's name of R with hexagonal ones. */
const primitive = (cell: UnitCell, spaceGroup: string): Metric => {
  const letter = spaceGroup.trim().charAt(0).toUpperCase().replace('H', 'R');
  const basis = letter === 'R' && isRhombohedral(cell) ? undefined : primitiveBases[letter];
  return basis === undefined ? metricOf(cell) : inBasis(metricOf(cell), basis);
};

/**
 * The Niggli-reduced cell of a lattice, by which crystals are compared whatever their setting: a ≤ b ≤ c in Å, and angles in degrees that are all
 * acute or all not. I. Křivý & B. Gruber (1976), Acta Cryst. A32, 297–298; tolerance of rounding: R. W. Grosse-Kunstleve, N. K. Sauter & P. D. Adams
 * (2004), Acta Cryst. A60, 1–6. Undefined where the six numbers are not a cell.
 * @param spaceGroup its first letter is the centring of the lattice; without one it is primitive
 */
export const reducedCell = (cell: UnitCell, spaceGroup = 'P'): UnitCell | undefined => {
  if (!isCell(cell)) return undefined;
  const metric = primitive(cell, spaceGroup);
  return cellOf(inBasis(metric, reducedBasis(metric)));
};

/** Maximum difference between cells that count as equal. */
export interface CellTolerance {
  /** Fraction of an edge. */
  readonly edges: number;
  /** Degrees. */
  readonly angles: number;
}

/** What PHENIX programs accept together (cctbx, uctbx `is_similar_to`): otherwise phenix.refine stops with "Crystal symmetry mismatch". */
export const sameToPrograms: CellTolerance = { edges: 0.01, angles: 1 };

/** Whether no edge and no angle differs from that of `one` by more. */
export const isNearCell = (one: UnitCell, other: UnitCell, { edges, angles }: CellTolerance): boolean =>
  one.every((value, at) => Math.abs(value - (other[at] ?? value)) <= (at < 3 ? edges * value : angles));

const changes = [-1, 0, 1] as const;

/**
 * The reduced cell and those that a slightly different lattice would be reduced to: at some lattices (two edges alike, an angle near 90°) the
 * reduced cell jumps when the lattice hardly changes (L. C. Andrews & H. J. Bernstein (1988), Acta Cryst. A44, 1009–1018). A cell is similar where it is
 * within the tolerance of one of them.
 */
export const nearlyReducedCells = (
  cell: UnitCell,
  { edges, angles }: CellTolerance,
  spaceGroup = 'P',
): readonly UnitCell[] => {
  const reduced = reducedCell(cell, spaceGroup);
  if (reduced === undefined) return [];
  const metric = metricOf(reduced);
  const found = new Map<string, UnitCell>();
  const corners = reduced.reduce<readonly (readonly number[])[]>(
    (begun, value, at) =>
      begun.flatMap((corner) =>
        changes.map((change) => [...corner, at < 3 ? value * (1 + change * edges) : value + change * angles]),
      ),
    [[]],
  );
  for (const corner of [reduced, ...(corners as unknown as readonly UnitCell[])]) {
    if (!isCell(corner)) continue;
    const similar = cellOf(inBasis(metric, reducedBasis(metricOf(corner))));
    const key = similar.map((value) => value.toFixed(3)).join(' ');
    if (!found.has(key)) found.set(key, similar);
  }
  return [...found.values()];
};
