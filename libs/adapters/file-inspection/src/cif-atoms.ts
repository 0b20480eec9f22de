import type { ModelFacts } from '@fleet/contracts';
import type { CifLoop } from './cif-loop';
import { cifTokens } from './cif-tokens';
import { ModelTally } from './model-tally';

interface AtomColumns {
  readonly model: number;
  readonly group: number;
  readonly atom: number;
  readonly residue: number;
  readonly chain: number;
  readonly number: number;
  readonly insertion: number;
  readonly b: number;
  /** Columns up to the last that is read. */
  readonly width: number;
}

const columnsOf = (loop: CifLoop): AtomColumns => {
  const either = (...names: readonly string[]): number => loop.column(...names.map((name) => `_atom_site.${name}`));
  const columns = {
    model: either('pdbx_pdb_model_num'),
    group: either('group_pdb'),
    atom: either('auth_atom_id', 'label_atom_id'),
    residue: either('auth_comp_id', 'label_comp_id'),
    chain: either('auth_asym_id', 'label_asym_id'),
    number: either('auth_seq_id', 'label_seq_id'),
    insertion: either('pdbx_pdb_ins_code'),
    b: either('b_iso_or_equiv'),
  };
  return { ...columns, width: Math.max(...Object.values(columns)) + 1 };
};

/** The atoms of a CIF file; of several models the first. */
export class CifAtoms {
  private readonly tally: ModelTally;
  private loop: CifLoop | undefined;
  private columns: AtomColumns | undefined;
  private firstModel: string | undefined;
  count = 0;

  constructor(path: string) {
    this.tally = new ModelTally(path);
  }

  row(loop: CifLoop, line: string): void {
    if (this.loop !== loop) [this.loop, this.columns] = [loop, columnsOf(loop)];
    const columns = this.columns ?? columnsOf(loop);
    const values = cifTokens(line, columns.width);
    const at = (column: number): string => (column < 0 ? '' : (values[column] ?? ''));
    const model = at(columns.model);
    this.firstModel ??= model;
    if (model !== this.firstModel) return;
    this.count += 1;
    this.tally.add({
      hetero: at(columns.group) === 'HETATM',
      atom: at(columns.atom),
      residue: at(columns.residue),
      chain: at(columns.chain),
      number: at(columns.number) + at(columns.insertion),
      b: Number.parseFloat(at(columns.b)),
    });
  }

  facts(prediction: boolean | undefined): ModelFacts {
    return this.tally.facts(prediction);
  }
}
