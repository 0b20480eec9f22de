// Turns a PDB model by 60° about a fixed axis through its centre and moves it by 25 Å: molecular replacement then has to find it.

const angle = Math.PI / 3;
const axis = [0.36, 0.48, 0.8]; // a unit vector
const shift = [15, -12, 16]; // Å, length 25.0

/** Rodrigues' rotation of a vector about the axis. */
function turned(v) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const dot = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
  const cross = [axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]];
  return v.map((x, i) => x * c + cross[i] * s + axis[i] * dot * (1 - c));
}

const isAtom = (line) => /^(ATOM {2}|HETATM)/.test(line);
const position = (line) => [30, 38, 46].map((at) => Number(line.slice(at, at + 8)));

/** The text of a PDB file with its atoms rotated and translated. Waters and ANISOU records, which would be wrong now, are left out. */
export function movedModel(text) {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('ANISOU') && !(isAtom(line) && line.slice(17, 20) === 'HOH'));
  const atoms = lines.filter(isAtom).map(position);
  const centre = [0, 1, 2].map((i) => atoms.reduce((sum, xyz) => sum + xyz[i], 0) / atoms.length);
  const moved = (line) => {
    const xyz = turned(position(line).map((x, i) => x - centre[i])).map((x, i) => x + centre[i] + shift[i]);
    return line.slice(0, 30) + xyz.map((x) => x.toFixed(3).padStart(8)).join('') + line.slice(54);
  };
  return lines.map((line) => (isAtom(line) ? moved(line) : line)).join('\n');
}
