/** A value of CIF: quoted, or up to the next space. Texts of several lines are in no atom that programs write. */
const value = /'(?:[^']|'(?=\S))*'|"(?:[^"]|"(?=\S))*"|\S+/g;

const plain = (text: string): string => (/^(['"]).*\1$/.test(text) ? text.slice(1, -1) : text);

const absent = (text: string | undefined): string => (text === undefined || text === '.' || text === '?' ? '' : text);

type Row = (name: string) => string;

const pdbLine = (row: Row, number: number): string => {
  const either = (one: string, other: string): string => row(`auth_${one}`) || row(`label_${other}`);
  const element = row('type_symbol').slice(0, 2).padStart(2);
  const name = row('auth_atom_id') || row('label_atom_id');
  const shown = name.length < 4 && element.startsWith(' ') ? ` ${name}` : name;
  const coordinates = ['Cartn_x', 'Cartn_y', 'Cartn_z'].map((axis) =>
    Number.parseFloat(row(axis)).toFixed(3).padStart(8).slice(0, 8),
  );
  const [occupancy, b] = ['occupancy', 'B_iso_or_equiv'].map((column) =>
    (Number.parseFloat(row(column)) || 0).toFixed(2).padStart(6).slice(0, 6),
  );
  return [
    row('group_PDB').slice(0, 6).padEnd(6),
    String(number % 100_000).padStart(5),
    ` ${shown.slice(0, 4).padEnd(4)}${row('label_alt_id').slice(0, 1).padEnd(1)}`,
    either('comp_id', 'comp_id').slice(0, 3).padStart(3),
    either('asym_id', 'asym_id').slice(0, 2).padStart(2),
    `${either('seq_id', 'seq_id').slice(0, 4).padStart(4)}${row('pdbx_PDB_ins_code').slice(0, 1).padEnd(1)}   `,
    `${coordinates.join('')}${occupancy ?? ''}${b ?? ''}`,
    `${' '.repeat(10)}${element}  `,
  ].join('');
};

/** The atoms of the first model of an mmCIF file, as lines of PDB. */
export const atomsOfCif = (text: string): readonly string[] => {
  const names = new Map<string, number>();
  const atoms: string[] = [];
  let model: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^_atom_site\.(\S+)/.exec(line) ?? [];
    if (name !== undefined) names.set(name, names.size);
    else if (names.size > 0 && /^(ATOM|HETATM)\s/.test(line)) {
      const values = (line.match(value) ?? []).map(plain);
      const row: Row = (column) => absent(values[names.get(column) ?? -1]);
      model ??= row('pdbx_PDB_model_num');
      if (model !== row('pdbx_PDB_model_num')) break;
      atoms.push(pdbLine(row, atoms.length + 1));
    } else if (atoms.length > 0) break;
  }
  return atoms;
};
