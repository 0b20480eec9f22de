// Generates apps/dashboard/src/pages/session/quality/ramachandran-regions.ts from the tables by which cctbx judges phi and psi:
// node scripts/ramachandran-regions.mjs SITE-PACKAGES/mmtbx/validation/ramachandran/rama8000_tables.h
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from './setup/paths.mjs';

/** The name of each table in cctbx, and the share of reference residues from which a (phi, psi) pair is allowed. */
const classes = {
  general: { table: 'general', allowed: 0.0005 },
  glycine: { table: 'glycine', allowed: 0.001 },
  cisProline: { table: 'cis_pro', allowed: 0.002 },
  transProline: { table: 'trans_pro', allowed: 0.001 },
  preProline: { table: 'pre_pro', allowed: 0.001 },
  ileVal: { table: 'ile_val', allowed: 0.001 },
};
const favoured = 0.02;

/** Table values are at odd degrees, phi before psi. */
const side = 180;
/** Degrees by which an outline may deviate from the table's. */
const tolerance = 0.15;

const degreesOf = (at) => Math.min(180, Math.max(-180, at * 2 - 181));

/** The grid with the border of the plot, where the table wraps around, and zeros beyond it, so that outlines close there. */
const framed = (table) => {
  const wrapped = (at) => (at + side) % side;
  const value = (phi, psi) => table[wrapped(phi) * side + wrapped(psi)];
  const either = (at) => (at === 0 || at === side + 1 ? [-1, 0] : [at - 1]);
  return (phi, psi) => {
    if (phi < 0 || psi < 0 || phi > side + 1 || psi > side + 1) return 0;
    const values = either(phi).flatMap((one) => either(psi).map((other) => value(one, other)));
    return values.reduce((sum, one) => sum + one, 0) / values.length;
  };
};

/** The four edges of a grid square, counterclockwise, each from corner to corner. */
const edgesOf = (x, y) => {
  const corners = [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
  ];
  return corners.map((from, at) => [from, corners[(at + 1) % 4]]);
};

const nameOf = ([from, to]) => [from, to].map(String).toSorted().join(' ');

/** The edge at which an outline enters a square, by the edge at which it leaves the one before. */
const stepsOf = (value, level) => {
  const isInside = (corner) => value(...corner) >= level;
  const steps = new Map();
  const places = new Map();
  const crossing = ([from, to]) => {
    const [one, other] = [value(...from), value(...to)];
    const part = (level - one) / (other - one);
    return [0, 1].map((axis) => degreesOf(from[axis]) * (1 - part) + degreesOf(to[axis]) * part);
  };
  const walk = (edges) => {
    const leaving = edges.flatMap(([from, to], at) => (isInside(from) && !isInside(to) ? [at] : []));
    const mean = edges.reduce((sum, [from]) => sum + value(...from), 0) / 4;
    // If two opposite corners are inside, the middle decides whether they are connected.
    const turn = leaving.length === 2 && mean < level ? 3 : 1;
    for (const at of leaving) {
      let next = at;
      do next = (next + turn) % 4;
      while (isInside(edges[next][0]) || !isInside(edges[next][1]));
      steps.set(nameOf(edges[at]), nameOf(edges[next]));
      places.set(nameOf(edges[at]), crossing(edges[at]));
    }
  };
  for (let x = -1; x <= side + 1; x += 1) for (let y = -1; y <= side + 1; y += 1) walk(edgesOf(x, y));
  return { steps, places };
};

const outlinesOf = (value, level) => {
  const { steps, places } = stepsOf(value, level);
  const outlines = [];
  while (steps.size > 0) {
    const outline = [];
    let [at] = steps.keys();
    while (steps.has(at)) {
      outline.push(places.get(at));
      const next = steps.get(at);
      steps.delete(at);
      at = next;
    }
    outlines.push(outline);
  }
  return outlines;
};

const distanceTo = ([fromX, fromY], [toX, toY], [x, y]) => {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / length));
  return Math.hypot(fromX + part * dx - x, fromY + part * dy - y);
};

/** Simplifies a line to the points that it needs (Douglas and Peucker). */
const thinned = (line) => {
  if (line.length < 3) return line;
  const distances = line.map((point) => distanceTo(line[0], line.at(-1), point));
  const farthest = distances.indexOf(Math.max(...distances));
  if (distances[farthest] < tolerance) return [line[0], line.at(-1)];
  return [...thinned(line.slice(0, farthest + 1)).slice(0, -1), ...thinned(line.slice(farthest))];
};

/** An outline as an SVG path, in degrees with psi upwards. */
const pathOf = (outlines) =>
  outlines
    .map((outline) => thinned([...outline, outline[0]]).slice(0, -1))
    .filter((outline) => outline.length > 2)
    .map((outline) => `M${outline.map((point) => point.map((value) => Number(value.toFixed(1))).join(',')).join(' ')}Z`)
    .join('');

const [header] = process.argv.slice(2);
if (header === undefined) throw new Error('name the file rama8000_tables.h');
const tables = new Map(
  [...fs.readFileSync(header, 'utf8').matchAll(/linear_table_(\w+)\[\] = \{([^}]*)\}/g)].map(([, name, values]) => [
    name,
    values.split(',').map(Number),
  ]),
);
const lines = Object.entries(classes).map(([name, { table, allowed }]) => {
  const value = framed(tables.get(table));
  const paths = { favoured: pathOf(outlinesOf(value, favoured)), allowed: pathOf(outlinesOf(value, allowed)) };
  return `  ${name}: {\n    favoured:\n      '${paths.favoured}',\n    allowed:\n      '${paths.allowed}',\n  },`;
});
fs.writeFileSync(
  path.join(checkout, 'apps/dashboard/src/pages/session/quality/ramachandran-regions.ts'),
  `/**
 * Where phi and psi of well determined residues lie, as paths of SVG in degrees: the regions that hold 98 % of them (favoured), and 99.95 %
 * (general), 99.8 % (cis-proline) or 99.9 % (allowed). Out of the Top8000 tables of MolProbity as cctbx has them (BSD-3-Clause-LBNL, see
 * public/ramachandran-licence.txt); made by scripts/ramachandran-regions.mjs.
 */
export const regions = {
${lines.join('\n')}
} as const;
`,
);
