import { sceneTexts } from '../../../texts/scene';
import { atomsOfCif } from './cif-atoms';
import { limits } from './limits';

/** Å³ around the atoms: a million of the 3 Å cubes of the neighbour search. */
const largestBox = 27_000_000;

/** The atom lines of the first model; other content is not drawn. */
const atomLines = (text: string): readonly string[] => {
  const lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('ENDMDL')) break;
    if (/^(ATOM {2}|HETATM|TER)/.test(line)) lines.push(line.padEnd(80));
  }
  return lines;
};

const coordinatesOf = (line: string): readonly number[] =>
  [30, 38, 46].map((from) => Number.parseFloat(line.slice(from, from + 8)));

const check = (lines: readonly string[]): void => {
  const atoms = lines.filter((line) => !line.startsWith('TER'));
  if (atoms.length === 0) throw new Error(sceneTexts.noAtoms);
  if (atoms.length > limits.atoms) throw new Error(sceneTexts.tooManyAtoms(atoms.length, limits.atoms));
  const least = [Infinity, Infinity, Infinity];
  const most = [-Infinity, -Infinity, -Infinity];
  for (const line of atoms)
    coordinatesOf(line).forEach((value, axis) => {
      if (!Number.isFinite(value)) throw new Error(sceneTexts.damaged('model'));
      least[axis] = Math.min(least[axis] ?? value, value);
      most[axis] = Math.max(most[axis] ?? value, value);
    });
  const box = most.reduce((product, value, axis) => product * Math.max(3, value - (least[axis] ?? 0)), 1);
  if (box > largestBox) throw new Error(sceneTexts.tooSpread);
};

/**
 * The atoms of a PDB or mmCIF file as lines of PDB, and nothing else of it.
 * @throws Error with a sentence where there are none, too many, or they are damaged
 */
export const modelText = (text: string, format: string): string => {
  const lines = format === 'mmcif-model' ? atomsOfCif(text) : atomLines(text);
  check(lines);
  return lines.join('\n');
};
