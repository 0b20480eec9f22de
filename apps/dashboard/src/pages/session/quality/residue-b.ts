/** A residue, and the mean of the B column of its atoms. */
export interface ResidueB {
  readonly name: string;
  readonly b: number;
}

const isCounted = (line: string): boolean => {
  const element = line.slice(76, 78).trim();
  return (
    !line.startsWith('TER') &&
    !['H', 'D'].includes(element) &&
    !['HOH', 'WAT', 'DOD'].includes(line.slice(17, 20).trim())
  );
};

/** In file order. @param text PDB lines from `modelText` */
export const residueBs = (text: string): readonly ResidueB[] => {
  const residues = new Map<string, { readonly line: string; sum: number; atoms: number }>();
  for (const line of text.split('\n').filter(isCounted)) {
    const key = line.slice(17, 27);
    const residue = residues.get(key) ?? { line, sum: 0, atoms: 0 };
    residue.sum += Number.parseFloat(line.slice(60, 66)) || 0;
    residue.atoms += 1;
    residues.set(key, residue);
  }
  return [...residues.values()].map(({ line, sum, atoms }) => {
    const [code, chain, number] = [line.slice(17, 20).trim(), line.slice(20, 22).trim(), line.slice(22, 27).trim()];
    return { name: `${code} ${chain} ${number}`, b: sum / atoms };
  });
};
