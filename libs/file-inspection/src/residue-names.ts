/** Residues of proteins and nucleic acids by name, with the modified ones that models commonly hold. */
const aminoAcids =
  'ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL MSE SEC PYL ASX GLX UNK HIP HIE HID CYX';
const nucleotides = 'A C G U I N DA DC DG DT DU DI DN';

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
