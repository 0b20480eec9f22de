import type { FileFacts, Metric, SessionFile } from '@fleet/contracts/sessions';
import { aFile } from './builders';
import {
  dataFile,
  dictionaryFile,
  mapFile,
  mapRefinements,
  modelFile,
  refinements,
  sequenceFile,
  type FakeRun,
  type FakeRuns,
} from './session-walk';

export type OneOrMore<T> = T | readonly T[];

/**
 * Metrics of a run, the files that it `writes`, and how it `fails`, with the `lines` of its log; or `lost` with its
 * machine. `refined`: the result of a refinement, with its files, beside further metrics.
 */
export type RunCells = Readonly<Record<string, Metric['value'] | readonly string[]>> | 'lost';

/** Numbers are the results of refinements: R-free, or the map correlation of phenix.real_space_refine. */
export type RunsCells = Readonly<Record<string, OneOrMore<RunCells | number>>>;

/**
 * How the facts of files differ from the defaults of their kind; null removes one. A suffix after `~` distinguishes files
 * of one path.
 */
export type FileCells = Readonly<Record<string, object>>;

/** A cell as a list. */
export const list = <T>(cell: OneOrMore<T> | undefined): readonly T[] =>
  cell === undefined ? [] : Array.isArray(cell) ? (cell as readonly T[]) : [cell as T];

/** A file with the facts that are usual for its ending. */
const plainFile = (path: string): SessionFile => {
  const [, name = '', kind = ''] = /([^/]+)\.(\w+)$/.exec(path) ?? [];
  if (kind === 'mtz') return dataFile({}, path);
  if (kind === 'pdb') return modelFile(path, path.startsWith('/data/AF-') ? { predicted: true } : {});
  if (kind === 'cif') return { ...dictionaryFile(name), path };
  if (kind === 'fasta') return { ...sequenceFile(), path };
  return kind === 'ccp4' ? mapFile(path) : aFile({ path });
};

const changed = (facts: object, changes: object): object => {
  const merged = new Map<string, unknown>(Object.entries(facts));
  for (const [name, change] of Object.entries(changes) as [string, unknown][]) {
    const before = merged.get(name);
    const isDeep =
      typeof change === 'object' && change !== null && !Array.isArray(change) && typeof before === 'object';
    merged.set(name, isDeep ? changed(before ?? {}, change) : change);
    if (change === null) merged.delete(name);
  }
  return Object.fromEntries(merged);
};

/** Parses the cells of one table. */
export class Cells {
  constructor(private readonly known: FileCells = {}) {}

  files(names: string): readonly SessionFile[] {
    return names.split(' ').map((name) => {
      const path = name.replace(/~\w+$/, '');
      const file = plainFile(path.startsWith('/') ? path : `/data/${path}`);
      return { ...file, facts: changed(file.facts, this.known[name] ?? {}) as FileFacts };
    });
  }

  runs(cells: RunsCells): FakeRuns {
    return Object.fromEntries(
      Object.entries(cells).map(([program, cell]) => [program, this.plan(program, list(cell))]),
    );
  }

  /** Consecutive runs; the last one repeats. */
  private plan(program: string, cells: readonly (RunCells | number)[]): FakeRuns[string] {
    const refine = program === 'real_space_refine' ? mapRefinements : refinements;
    const values = cells.filter((cell) => typeof cell === 'number');
    if (values.length === cells.length) return refine(...values);
    if (cells.every((cell) => typeof cell !== 'number' && refinedOf(cell) === undefined))
      return cells.map((cell) => this.run(cell as RunCells));
    let count = 0;
    return (decision, cycle) => {
      const cell = cells[Math.min(count++, cells.length - 1)] ?? 'lost';
      const value = refinedOf(cell);
      if (value === undefined) return this.run(cell as RunCells);
      const { metrics, outputs = [] } = refine(value)(decision, cycle);
      return { outputs, metrics: { ...metrics, ...(typeof cell === 'number' ? {} : this.run(cell).metrics) } };
    };
  }

  private run(cells: RunCells): FakeRun {
    if (cells === 'lost') return { lost: true };
    const { writes, fails, lines, refined: _, ...metrics } = cells;
    return {
      metrics: metrics as NonNullable<FakeRun['metrics']>,
      ...(writes !== undefined && { outputs: this.files(String(writes)) }),
      ...(fails !== undefined && { fails: String(fails) }),
      ...(lines !== undefined && { errorLines: lines as readonly string[] }),
    };
  }
}

/** The number of a refinement. */
const refinedOf = (cell: RunCells | number): number | undefined => {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'object' && typeof cell['refined'] === 'number' ? cell['refined'] : undefined;
};
