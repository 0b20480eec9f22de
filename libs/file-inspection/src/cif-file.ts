import type { FileFacts } from '@fleet/contracts';
import { cifTokens } from './cif-tokens';
import type { FileSource } from './file-source';
import { scanLines } from './line-scan';
import { ModelTally } from './model-tally';
import { longestModel } from './pdb-file';
import { saysPrediction } from './predicted-words';
import { unitCellOf } from './unit-cell';

const mostCodes = 1_000;
const cellTags = ['length_a', 'length_b', 'length_c', 'angle_alpha', 'angle_beta', 'angle_gamma'];
const spaceGroupTags: ReadonlySet<string> = new Set(['_symmetry.space_group_name_h-m', '_space_group.name_h-m_alt']);

/** Reads a CIF line by line and keeps what tells models, reflections and restraints apart. */
class CifReader {
  private readonly tally = new ModelTally();
  private readonly cell = new Map<string, number>();
  private readonly codes = new Set<string>();
  private readonly looseCodes = new Set<string>();
  private spaceGroup: string | undefined;
  private tags: string[] = [];
  private inHeader = false;
  private inText = false;
  private atoms = 0;
  private reflections = false;
  private restraintAtoms = false;
  private predicted = false;
  private experiment = false;
  private firstModel: string | undefined;

  line(line: string): boolean {
    if (line.startsWith(';')) this.inText = !this.inText;
    else if (!this.inText) this.item(line.trimStart());
    return true;
  }

  facts(): FileFacts | undefined {
    const crystal = this.crystal();
    if (this.atoms > 0)
      return { format: 'mmcif-model', ...crystal, model: this.tally.facts(this.prediction(crystal.cell)) };
    if (this.reflections) return { format: 'mmcif-reflections', ...crystal };
    const codes = this.codes.size > 0 ? this.codes : this.looseCodes;
    if (codes.size > 0 && this.restraintAtoms) return { format: 'restraints', restraints: { codes: [...codes] } };
    return undefined;
  }

  private prediction(cell: FileFacts['cell']): boolean | undefined {
    if (this.experiment) return false;
    if (this.predicted) return true;
    return cell === undefined ? undefined : false;
  }

  private crystal(): Pick<FileFacts, 'cell' | 'spaceGroup'> {
    const cell = unitCellOf(cellTags.map((tag) => this.cell.get(tag) ?? Number.NaN));
    return {
      ...(cell === undefined ? {} : { cell }),
      ...(this.spaceGroup === undefined ? {} : { spaceGroup: this.spaceGroup }),
    };
  }

  private item(line: string): void {
    if (line === '' || line.startsWith('#')) this.endOfLoop(line);
    else if (/^data_/i.test(line)) this.block(line);
    else if (/^loop_/i.test(line)) [this.tags, this.inHeader] = [[], true];
    else if (line.startsWith('_')) this.tag(line);
    else this.row(line);
  }

  private endOfLoop(line: string): void {
    if (line.startsWith('#')) this.tags = [];
  }

  private block(line: string): void {
    this.tags = [];
    const code = /^data_comp_(\S+)/i.exec(line)?.[1];
    if (code !== undefined && code.toLowerCase() !== 'list' && this.codes.size < mostCodes) this.codes.add(code);
  }

  private tag(line: string): void {
    const [tag = '', value] = cifTokens(line);
    const name = tag.toLowerCase();
    if (name.startsWith('_refln.')) this.reflections = true;
    if (name.startsWith('_chem_comp_atom.')) this.restraintAtoms = true;
    if (name.startsWith('_ma_qa_metric')) this.predicted = true;
    if (this.inHeader && value === undefined) this.tags.push(name);
    else {
      this.inHeader = false;
      this.tags = [];
      if (value !== undefined) this.pair(name, value);
    }
  }

  private pair(name: string, value: string): void {
    if (name.startsWith('_cell.')) this.cell.set(name.slice('_cell.'.length), Number.parseFloat(value));
    else if (spaceGroupTags.has(name)) this.spaceGroup = value;
    else if (name === '_chem_comp.id') this.looseCodes.add(value);
    else if (name === '_struct.title' && saysPrediction(value)) this.predicted = true;
    else if (name === '_exptl.method' && /diffraction|microscopy|nmr/i.test(value)) this.experiment = true;
  }

  private row(line: string): void {
    this.inHeader = false;
    const [first = ''] = this.tags;
    if (first.startsWith('_atom_site.')) this.atomRow(cifTokens(line));
    else if (first.startsWith('_chem_comp.') && this.looseCodes.size < mostCodes) this.componentRow(cifTokens(line));
  }

  private componentRow(values: readonly string[]): void {
    const code = values[this.tags.indexOf('_chem_comp.id')];
    if (code !== undefined) this.looseCodes.add(code);
  }

  private atomRow(values: readonly string[]): void {
    const value = (...names: readonly string[]): string => {
      const name = names.find((candidate) => this.tags.includes(`_atom_site.${candidate}`));
      return name === undefined ? '' : (values[this.tags.indexOf(`_atom_site.${name}`)] ?? '');
    };
    const model = value('pdbx_pdb_model_num');
    this.firstModel ??= model;
    if (model !== this.firstModel) return;
    this.atoms += 1;
    this.tally.add({
      hetero: value('group_pdb') === 'HETATM',
      atom: value('auth_atom_id', 'label_atom_id'),
      residue: value('auth_comp_id', 'label_comp_id'),
      chain: value('auth_asym_id', 'label_asym_id'),
      number: value('auth_seq_id', 'label_seq_id') + value('pdbx_pdb_ins_code'),
      b: Number.parseFloat(value('b_iso_or_equiv')),
    });
  }
}

/** Facts of a CIF file: a model, reflections or a dictionary of restraints; undefined for anything else written in CIF. */
export const inspectCif = async (source: FileSource): Promise<FileFacts | undefined> => {
  const reader = new CifReader();
  await scanLines(source, longestModel, (line) => reader.line(line));
  return reader.facts();
};
