// Models in PDB format, truncated and changed as users' models often are.
const isCoordinate = (line) => /^(ATOM {2}|HETATM|ANISOU|TER)/.test(line);
const isWater = (line) => line.slice(17, 20) === 'HOH';

/** A model with only some of its residues and without waters. */
export const partOf = (text, keeps) =>
  text
    .split('\n')
    .filter((line) => !isCoordinate(line) || (!isWater(line) && keeps(line)))
    .join('\n');
export const firstChain = (text) => partOf(text, (line) => line[21] === 'A');
const residue = (line) => Number(line.slice(22, 26));
export const upTo = (last) => (line) => residue(line) <= last;
export const after = (last) => (line) => residue(line) > last;

const backbone = new Set(['N', 'CA', 'C', 'O', 'CB']);
const keptTypes = new Set(['GLY', 'PRO', 'CYS', 'ALA']);

/** A step of up to 0.5 Å, the same at every run (a linear congruential generator, Numerical Recipes 7.1). */
const steps = (seed) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
};

/** A model like a homologue: every second residue an alanine, loops missing, each coordinate off by up to 0.5 Å, no waters. */
export const homologueOf = (text, missing) => {
  const step = steps(1);
  const isMissing = (line) =>
    missing.some(([chain, from, to]) => line[21] === chain && residue(line) >= from && residue(line) <= to);
  const isCut = (line) => residue(line) % 2 === 0 && !keptTypes.has(line.slice(17, 20));
  const keeps = (line) => !isMissing(line) && !(isCut(line) && !backbone.has(line.slice(12, 16).trim()));
  const changed = (line) => {
    const xyz = [30, 38, 46].map((at) => (Number(line.slice(at, at + 8)) + step()).toFixed(3).padStart(8)).join('');
    return line.slice(0, 17) + (isCut(line) ? 'ALA' : line.slice(17, 20)) + line.slice(20, 30) + xyz + line.slice(54);
  };
  return partOf(text, keeps)
    .split('\n')
    .filter((line) => !/^(ANISOU|SSBOND|LINK|CISPEP)/.test(line))
    .map((line) => (/^(ATOM {2}|HETATM)/.test(line) ? changed(line) : line))
    .join('\n');
};
