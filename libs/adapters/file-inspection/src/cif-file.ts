import type { FileFacts } from '@fleet/contracts';
import { bounds, shownCount } from './bounds';
import { CifAtoms } from './cif-atoms';
import { CifLoop } from './cif-loop';
import { cifTokens } from './cif-tokens';
import { tooComplex, tooLarge, tooLong } from './complexity-faults';
import type { FileSource } from './file-source';
import { scanLines } from './line-scan';
import { saidPrediction, saysPrediction } from './predicted-words';
import { unitCellOf } from './unit-cell';

const cellTags = ['length_a', 'length_b', 'length_c', 'angle_alpha', 'angle_beta', 'angle_gamma'];
const spaceGroupTags: ReadonlySet<string> = new Set(['_symmetry.space_group_name_h-m', '_space_group.name_h-m_alt']);

/** Reads a CIF line by line and keeps what tells models, reflections and restraints apart. */
class CifReader {
  private readonly cell = new Map<string, number>();
  private readonly codes = new Set<string>();
  private readonly looseCodes = new Set<string>();
  private readonly atoms: CifAtoms;
  private spaceGroup: string | undefined;
  private loop: CifLoop;
  private inHeader = false;
  private inText = false;
  private reflections = false;
  private restraintAtoms = false;
  private predicted = false;
  private experiment = false;

  constructor(private readonly path: string) {
    this.atoms = new CifAtoms(path);
    this.loop = new CifLoop(path);
  }

  get hasAtoms(): boolean {
    return this.atoms.count > 0;
  }

  line(line: string): boolean {
    if (line.startsWith(';')) this.inText = !this.inText;
    else if (!this.inText) this.item(line.trimStart());
    return true;
  }

  facts(): FileFacts | undefined {
    const crystal = this.crystal();
    if (this.hasAtoms) {
      const prediction = saidPrediction({
        experiment: this.experiment,
        prediction: this.predicted,
        cell: crystal.cell,
      });
      return { format: 'mmcif-model', ...crystal, model: this.atoms.facts(prediction) };
    }
    if (this.reflections) return { format: 'mmcif-reflections', ...crystal };
    const codes = this.codes.size > 0 ? this.codes : this.looseCodes;
    if (codes.size > 0 && this.restraintAtoms) return { format: 'restraints', restraints: { codes: [...codes] } };
    return undefined;
  }

  private crystal(): Pick<FileFacts, 'cell' | 'spaceGroup'> {
    const cell = unitCellOf(cellTags.map((tag) => this.cell.get(tag) ?? Number.NaN));
    return {
      ...(cell === undefined ? {} : { cell }),
      ...(this.spaceGroup === undefined ? {} : { spaceGroup: this.spaceGroup }),
    };
  }

  private item(line: string): void {
    if (line === '') return;
    if (line.startsWith('#')) this.loop = new CifLoop(this.path);
    else if (line.startsWith('_')) this.tag(line);
    else if (!/^[dl]/i.test(line)) this.row(line);
    else if (/^data_/i.test(line)) this.block(line);
    else if (/^loop_/i.test(line)) [this.loop, this.inHeader] = [new CifLoop(this.path), true];
    else this.row(line);
  }

  private block(line: string): void {
    this.loop = new CifLoop(this.path);
    const [name = ''] = cifTokens(line, 1);
    const code = /^data_comp_(.+)/i.exec(name)?.[1];
    if (code !== undefined && code.toLowerCase() !== 'list') this.keepCode(this.codes, code);
  }

  private tag(line: string): void {
    const [tag = '', value] = cifTokens(line, 2);
    const name = tag.toLowerCase();
    if (name.length > bounds.name) throw tooLong(this.path, 'a data name');
    if (name.startsWith('_refln.')) this.reflections = true;
    if (name.startsWith('_chem_comp_atom.')) this.restraintAtoms = true;
    if (name.startsWith('_ma_qa_metric')) this.predicted = true;
    if (this.inHeader && value === undefined) this.loop.add(name);
    else {
      this.inHeader = false;
      this.loop = new CifLoop(this.path);
      if (value !== undefined) this.pair(name, value);
    }
  }

  private pair(name: string, value: string): void {
    if (name.startsWith('_cell.')) this.cellValue(name.slice('_cell.'.length), value);
    else if (spaceGroupTags.has(name)) {
      if (value.length > bounds.name) throw tooLong(this.path, 'its space group');
      this.spaceGroup = value;
    } else if (name === '_chem_comp.id') this.keepCode(this.looseCodes, value);
    else if (name === '_struct.title' && saysPrediction(value)) this.predicted = true;
    else if (name === '_exptl.method' && /diffraction|microscopy|nmr/i.test(value)) this.experiment = true;
  }

  private cellValue(name: string, value: string): void {
    if (cellTags.includes(name)) this.cell.set(name, Number.parseFloat(value));
  }

  private keepCode(codes: Set<string>, code: string): void {
    if (code.length > bounds.name) throw tooLong(this.path, "a component's code");
    codes.add(code);
    if (codes.size <= bounds.kinds) return;
    const most = `${shownCount(bounds.kinds)} components`;
    throw tooComplex(this.path, `it names more than ${most}`, `at most ${most} in one file`);
  }

  private row(line: string): void {
    this.inHeader = false;
    if (this.loop.isOf('_atom_site.')) this.atoms.row(this.loop, line);
    else if (this.loop.isOf('_chem_comp.')) this.componentRow(line);
  }

  private componentRow(line: string): void {
    const column = this.loop.column('_chem_comp.id');
    const code = column < 0 ? undefined : cifTokens(line, column + 1)[column];
    if (code !== undefined) this.keepCode(this.looseCodes, code);
  }
}

/**
 * Facts of a CIF file: a model, reflections or a dictionary of restraints; undefined for anything else written in CIF.
 * @throws Fault `file.too_complex`
 */
export const inspectCif = async (source: FileSource): Promise<FileFacts | undefined> => {
  const reader = new CifReader(source.path);
  await scanLines(source, bounds.model, (line) => reader.line(line));
  // Lists of reflections may be longer than any model: what tells them stands at their beginning.
  if (reader.hasAtoms && source.size > bounds.model) throw tooLarge(source.path, 'model', bounds.model);
  return reader.facts();
};
