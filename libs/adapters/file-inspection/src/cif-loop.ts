import { bounds, shownCount } from './bounds';
import { tooComplex } from './complexity-faults';

/** The columns of one loop of a CIF file, as its data names tell them. */
export class CifLoop {
  private readonly columns = new Map<string, number>();
  private names = 0;
  private firstName = '';

  constructor(private readonly path: string) {}

  /** @throws Fault `file.too_complex` */
  add(name: string): void {
    if (this.names === bounds.tags) {
      const most = `${shownCount(bounds.tags)} data names`;
      throw tooComplex(this.path, `a loop in it has more than ${most}`, `loops of at most ${most}`);
    }
    if (this.names === 0) this.firstName = name;
    if (!this.columns.has(name)) this.columns.set(name, this.names);
    this.names += 1;
  }

  /** Whether its first column is of this category, for example `_atom_site.`. */
  isOf(category: string): boolean {
    return this.firstName.startsWith(category);
  }

  /** Where the first of these names lies, or -1. */
  column(...names: readonly string[]): number {
    const name = names.find((candidate) => this.columns.has(candidate));
    return name === undefined ? -1 : (this.columns.get(name) ?? -1);
  }
}
