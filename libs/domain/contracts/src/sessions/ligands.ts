import type { FieldProblem } from '../faults/fault';
import { list, record, text, type Described } from '../schema/schema';

/** Residues of polymers, water and common ions have dictionaries too, but are never fitted as ligands. */
export const notLigands: ReadonlySet<string> = new Set(
  (
    'ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL MSE A C G U DA DC DG DT ' +
    'HOH DOD NA CL K MG CA ZN MN FE NI CU CO CD'
  ).split(' '),
);

/** Maximum length of a SMILES string; ten times a large drug. */
const longestSmiles = 1_000;

const smilesAllowed =
  'a SMILES string of one molecule: letters, digits and the signs @ + - [ ] ( ) = # $ : / \\ %, no blanks, at most 1000 characters';

const code = text('code of the Chemical Component Dictionary, such as NAG', {
  pattern: '^[A-Z0-9]{1,5}$',
  'x-allowed': 'a code of the Chemical Component Dictionary: 1 to 5 capital letters and digits',
});

const id = text('name of the component in the model; default LIG, then DRG and INH', {
  pattern: '^[A-Z0-9]{3,5}$',
  'x-allowed': '3 to 5 capital letters and digits',
});

const smiles = text('the molecule as SMILES', {
  maxLength: longestSmiles,
  // OpenSMILES (opensmiles.org), without wildcards and without several molecules in one string.
  pattern: '^[A-Za-z\\[][A-Za-z0-9@+\\-\\[\\]()=#$:/\\\\%]*$',
  'x-allowed': smilesAllowed,
});

/** Maximum number of ligands of a session. */
const mostLigands = 10;

export const requestedLigandsSchema = list(
  record('RequestedLigand', {}, { code, smiles, id }, 'a ligand: `code`, or `smiles` with an `id` of your choice'),
  'ligands without a file: phenix.elbow makes their restraints and coordinates, and each is fitted',
  { maxItems: mostLigands },
);
/** As it was submitted: `code`, or `smiles` with or without `id`. */
export type RequestedLigand = Described<typeof requestedLigandsSchema>[number];

/**
 * Names for compounds without a code: the wwPDB has reserved 01 to 99, DRG, INH and LIG for new ligands, and never assigns them to a
 * component.
 */
const defaultIds = ['LIG', 'DRG', 'INH'] as const;

/** The component name of a ligand in dictionaries and models; empty without code and id. */
export const componentOf = ({ code: own, id: given = '' }: RequestedLigand): string => own ?? given;

/** The same ligands, each SMILES with an id. More than three need explicit ids (`ligandProblems`). */
export const withIds = (ligands: readonly RequestedLigand[]): readonly RequestedLigand[] => {
  const taken = new Set(ligands.map(componentOf));
  return ligands.map((ligand) => {
    if (ligand.smiles === undefined || ligand.id !== undefined) return ligand;
    const free = defaultIds.find((one) => !taken.has(one));
    if (free !== undefined) taken.add(free);
    return free === undefined ? ligand : { ...ligand, id: free };
  });
};

const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/** Whether every bracket of a SMILES is closed; otherwise a shell or a table has truncated it. */
const isBalanced = (given: string): boolean => {
  const open: string[] = [];
  for (const character of given) {
    if (character === '(' || character === '[') open.push(character);
    const opening = pairs[character];
    if (opening !== undefined && open.pop() !== opening) return false;
  }
  return open.length === 0;
};

const oneOf = 'either code, or smiles with or without id';

const problemsOfOne = (ligand: RequestedLigand, field: string): readonly FieldProblem[] => {
  const { code: own, smiles: drawn, id: given } = ligand;
  if ((own === undefined) === (drawn === undefined)) {
    const reason = own === undefined ? 'has neither a code nor SMILES' : 'has a code and SMILES';
    return [{ field, reason, allowed: oneOf }];
  }
  const problems: FieldProblem[] = [];
  if (own !== undefined && given !== undefined)
    problems.push({ field: `${field}.id`, reason: 'a code is the name of its component already', allowed: oneOf });
  const [name, member] = own === undefined ? [given, 'id'] : [own, 'code'];
  if (name !== undefined && notLigands.has(name))
    problems.push({
      field: `${field}.${member}`,
      reason: `${name} is a residue of polymers, water or an ion, and no ligand`,
      allowed: 'another name',
    });
  if (drawn !== undefined && !isBalanced(drawn))
    problems.push({ field: `${field}.smiles`, reason: 'its brackets do not close', allowed: smilesAllowed });
  return problems;
};

/** Problems of well-formed ligands that their schemas cannot express. */
export const ligandProblems = (ligands: readonly RequestedLigand[]): readonly FieldProblem[] => {
  const own = ligands.flatMap((ligand, index) => problemsOfOne(ligand, `ligands[${String(index)}]`));
  if (own.length > 0) return own;
  const names = withIds(ligands).map(componentOf);
  return names.flatMap((name, index): readonly FieldProblem[] => {
    const field = `ligands[${String(index)}]`;
    if (name === '')
      return [{ field: `${field}.id`, reason: 'is missing', allowed: 'an id for each beyond the third SMILES' }];
    const reason = `${name} is the name of another ligand already`;
    return names.indexOf(name) === index ? [] : [{ field, reason, allowed: 'each code and each id once' }];
  });
};

/**
 * Parses a line of a `.smi` file, a SMILES and its id separated by a blank: `CCO LIG`. (An equals sign would be a bond.) Any other line is
 * passed through, and the validation of a submission reports its problems.
 */
export const ligandOfLine = (line: string): RequestedLigand => {
  const [drawn = '', given, ...more] = line.trim().split(/\s+/);
  if (more.length > 0) return { smiles: line };
  return { smiles: drawn, ...(given !== undefined && { id: given }) };
};

/** The inverse: a line of a `.smi` file. */
export const lineOfLigand = ({ smiles: drawn = '', id: given }: RequestedLigand): string =>
  given === undefined ? drawn : `${drawn} ${given}`;

/** A ligand in a text, without its SMILES: `NAG`, or `LIG (from SMILES)`. */
export const ligandText = (ligand: RequestedLigand): string =>
  ligand.smiles === undefined ? componentOf(ligand) : `${componentOf(ligand)} (from SMILES)`;
