/** Chemical symbols by atomic number. */
const symbols = (
  'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd ' +
  'Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra ' +
  'Ac Th Pa U'
)
  .toUpperCase()
  .split(' ');

/** Atomic number of a chemical symbol in any case; 0 for an unknown one. */
export const atomicNumber = (symbol: string): number => symbols.indexOf(symbol.trim().toUpperCase()) + 1;
