/** Residues of proteins and nucleic acids by name, with the modified ones that models commonly hold. */
const aminoAcids =
  'ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL MSE SEC PYL ASX GLX UNK HIP HIE HID CYX';
const nucleotides = 'A C G U I N DA DC DG DT DU DI DN';

/** Letters of the twenty, and of those that stand for one of them in a crystal; `X` is told of no other. */
const letters =
  'ALA A ARG R ASN N ASP D CYS C GLN Q GLU E GLY G HIS H ILE I LEU L LYS K MET M PHE F PRO P SER S THR T TRP W TYR Y VAL V MSE M SEC C HIP H HIE H HID H CYX C';
const pairs = letters.split(' ');
export const aminoAcidLetters: ReadonlyMap<string, string> = new Map(
  pairs.flatMap((name, at): readonly (readonly [string, string])[] =>
    at % 2 === 0 ? [[name, pairs[at + 1] ?? 'X']] : [],
  ),
);

export const aminoAcidNames: ReadonlySet<string> = new Set(aminoAcids.split(' '));
export const nucleotideNames: ReadonlySet<string> = new Set(nucleotides.split(' '));
export const waterNames: ReadonlySet<string> = new Set(['HOH', 'WAT', 'DOD', 'H2O', 'TIP', 'TIP3', 'OH2']);

/** Ions of several atoms that buffers leave behind; ions of one atom need no list. */
export const ionNames: ReadonlySet<string> = new Set([
  'SO4',
  'PO4',
  'NO3',
  'NH4',
  'CO3',
  'BCT',
  'SCN',
  'AZI',
  'CYN',
  'PER',
  'OH',
]);
