/** What an MTZ file is made of, for tests. */
interface MtzParts {
  readonly cell: readonly number[];
  readonly symmetry: readonly string[];
  /** H, K and L come first. */
  readonly labels: readonly string[];
  readonly rows: readonly (readonly number[])[];
}

/** An MTZ file, little-endian. */
export const mtzOf = ({ cell, symmetry, labels, rows }: MtzParts): ArrayBuffer => {
  const records = [
    'VERS MTZ:V1.1',
    `NCOL ${labels.length} ${rows.length} 0`,
    `CELL ${cell.join(' ')}`,
    ...symmetry.map((operation) => `SYMM ${operation}`),
    'VALM NAN',
    ...labels.map((label) => `COLUMN ${label} F 0 1 1`),
    'END',
  ];
  const headerAt = 80 + labels.length * rows.length * 4;
  const file = new ArrayBuffer(headerAt + records.length * 80);
  const view = new DataView(file);
  const bytes = new Uint8Array(file);
  bytes.set(new TextEncoder().encode('MTZ '));
  view.setInt32(4, headerAt / 4 + 1, true);
  view.setUint8(8, 0x44);
  rows.flat().forEach((value, at) => view.setFloat32(80 + at * 4, value, true));
  records.forEach((record, at) => bytes.set(new TextEncoder().encode(record.padEnd(80)), headerAt + at * 80));
  return file;
};
