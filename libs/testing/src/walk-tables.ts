import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileFacts, Metric, SessionFile } from '@fleet/contracts/sessions';
import { loadAll } from 'js-yaml';
import { aFile } from './builders';
import {
  aCatalogue,
  dataFile,
  dictionaryFile,
  mapFile,
  mapRefinements,
  modelFile,
  refinements,
  sequenceFile,
  usualRuns,
  type FakeRun,
  type FakeRuns,
  type Walk,
  type WalkOptions,
} from './session-walk';
import { argvOf, states, walkBench, words, type WalkBench } from './walk-bench';

type OneOrMore<T> = T | readonly T[];

/** A required text; between slashes, a pattern. */
type Text = string;

/**
 * Metrics of a run, the files that it `writes`, and how it `fails`, with the `lines` of its log; or `lost` with its
 * machine.
 */
type RunCells = Readonly<Record<string, Metric['value'] | readonly string[]>> | 'lost';

/** Numbers are the results of refinements: R-free, or the map correlation of phenix.real_space_refine. */
type RunsCells = Readonly<Record<string, OneOrMore<RunCells | number>>>;

/** One walk: its input, and its expected results. */
interface Row extends Omit<WalkOptions, 'catalogue' | 'from'> {
  /** data.mtz and model.pdb by default. */
  readonly files?: string;
  readonly runs?: RunsCells;
  readonly catalogue?: Parameters<typeof aCatalogue>[0];
  /** The previous walk that this one resumes. */
  readonly after?: Row;
  /** New advice was given in between. */
  readonly advised?: boolean;
  /** Programs and the reason of the stop, complete or as a pattern. */
  readonly course?: OneOrMore<Text>;
  readonly passes?: OneOrMore<string>;
  readonly avoids?: OneOrMore<string>;
  readonly stops?: string;
  readonly states?: OneOrMore<Text>;
  /** The detail of the stop: complete, in parts, and what it must not contain. */
  readonly detail?: string;
  readonly says?: OneOrMore<Text>;
  readonly saysNot?: OneOrMore<string>;
  /**
   * By run (`refine 2` is the second one of phenix.refine): the command, complete or as a pattern; its tokens; excluded
   * texts.
   */
  readonly command?: Readonly<Record<string, OneOrMore<Text>>>;
  readonly has?: Readonly<Record<string, OneOrMore<Text>>>;
  readonly lacks?: Readonly<Record<string, OneOrMore<string>>>;
  /** Members of these cycles' decisions; a text is compared with non-text as JSON. */
  readonly cycles?: Readonly<Record<number, Readonly<Record<string, unknown>>>>;
}

/** Walks with the same installed programs, and the same default results. */
interface Table {
  readonly installed: 'open' | 'all';
  readonly runs?: RunsCells;
  /** Programs without an entry in `runs` have the results of `usualRuns`. */
  readonly usual?: boolean;
  /**
   * How the facts of files differ from the defaults of their kind; null removes one. A suffix after `~` distinguishes
   * two files of one path.
   */
  readonly files?: Readonly<Record<string, object>>;
  readonly walks: Readonly<Record<string, Readonly<Record<string, Row>>>>;
}

const list = <T>(cell: OneOrMore<T> | undefined): readonly T[] =>
  cell === undefined ? [] : Array.isArray(cell) ? (cell as readonly T[]) : [cell as T];

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
class Cells {
  constructor(private readonly known: NonNullable<Table['files']> = {}) {}

  files(names: string): readonly SessionFile[] {
    return names.split(' ').map((name) => {
      const path = name.replace(/~\d+$/, '');
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
    const runs = cells.map((cell) => (typeof cell === 'number' ? undefined : this.run(cell)));
    if (values.length === 0) return runs.filter((run) => run !== undefined);
    let count = 0;
    return (decision, cycle) => {
      const at = Math.min(count++, cells.length - 1);
      return runs[at] ?? refine(Number(cells[at]))(decision, cycle);
    };
  }

  private run(cells: RunCells): FakeRun {
    if (cells === 'lost') return { lost: true };
    const { writes, fails, lines, ...metrics } = cells;
    return {
      metrics: metrics as NonNullable<FakeRun['metrics']>,
      ...(writes !== undefined && { outputs: this.files(String(writes)) }),
      ...(fails !== undefined && { fails: String(fails) }),
      ...(lines !== undefined && { errorLines: lines as readonly string[] }),
    };
  }
}

const patternOf = (text: Text): RegExp | undefined => {
  const [, pattern] = /^\/(.+)\/$/s.exec(text) ?? [];
  return pattern === undefined ? undefined : new RegExp(pattern);
};
const isWhole = (actual: string, cell: OneOrMore<Text> | undefined): void => {
  for (const text of list(cell)) {
    const pattern = patternOf(text);
    if (pattern === undefined) expect(actual).toBe(text);
    else expect(actual).toMatch(pattern);
  }
};
const hasParts = (actual: string, cell: OneOrMore<Text> | undefined): void => {
  for (const text of list(cell)) {
    const pattern = patternOf(text);
    if (pattern === undefined) expect(actual).toContain(text);
    else expect(actual).toMatch(pattern);
  }
};
const hasNone = (actual: string, cell: OneOrMore<string> | undefined): void => {
  for (const text of list(cell)) expect(actual).not.toContain(text);
};

const commandsOf = (walked: Walk, cells: Readonly<Record<string, OneOrMore<Text>>> = {}) =>
  Object.entries(cells).map(([run, texts]) => {
    const [program = '', number = '1'] = run.split(' ');
    return { argv: argvOf(walked, program, Number(number) - 1), texts: list(texts) };
  });

const checkCommands = (walked: Walk, { command, has, lacks }: Pick<Row, 'command' | 'has' | 'lacks'>): void => {
  for (const { argv, texts } of commandsOf(walked, command)) isWhole(argv.join(' '), texts);
  for (const { argv, texts } of commandsOf(walked, has))
    for (const text of texts) {
      const pattern = patternOf(text);
      expect(argv).toContainEqual(pattern === undefined ? text : expect.stringMatching(pattern));
    }
  for (const { argv, texts } of commandsOf(walked, lacks)) {
    expect(argv).not.toEqual([]);
    hasNone(argv.join(' '), texts);
  }
};

const optionNames = ['settings', 'directives', 'steering', 'title', 'advice', 'ligands'];

const checkCycles = ({ session }: Walk, cells: Row['cycles'] = {}): void => {
  for (const [number, members] of Object.entries(cells)) {
    const decision = session.cycles.find(({ cycle }) => cycle === Number(number))?.decision;
    for (const [name, expected] of Object.entries(members)) {
      const actual: unknown = Object.entries(decision ?? {}).find(([member]) => member === name)?.[1];
      if (typeof expected === 'string')
        isWhole(typeof actual === 'string' ? actual : JSON.stringify(actual ?? null), expected);
      else expect(actual).toEqual(expected);
    }
  }
};

const walkedBy = async (bench: WalkBench, cells: Cells, row: Row): Promise<Walk> => {
  const { files = 'data.mtz model.pdb', runs = {}, catalogue, after, advised } = row;
  const from = after && (await check(bench, cells, after)).session.cycles;
  return bench.walk(cells.files(files), cells.runs(runs), {
    ...Object.fromEntries(Object.entries(row).filter(([name]) => optionNames.includes(name))),
    ...(from !== undefined && { from }),
    ...(advised === true && { steering: { adviceChangedAfter: from?.at(-1)?.cycle ?? 0 } }),
    ...(catalogue !== undefined && { catalogue: aCatalogue(catalogue) }),
  });
};

const check = async (bench: WalkBench, cells: Cells, row: Row): Promise<Walk> => {
  const walked = await walkedBy(bench, cells, row);
  isWhole(words(walked), row.course);
  hasParts(words(walked), row.passes);
  for (const part of list(row.avoids)) expect(` ${words(walked)} `).not.toContain(` ${part} `);
  isWhole(walked.stop.reason, row.stops);
  isWhole(states(walked), row.states);
  isWhole(walked.stop.detail, row.detail);
  hasParts(walked.stop.detail, row.says);
  hasNone(walked.stop.detail, row.saysNot);
  checkCommands(walked, row);
  checkCycles(walked, row.cycles);
  return walked;
};

const starts = ['files', 'runs', 'catalogue', 'after', 'advised', ...optionNames];
const shown = 'course passes avoids stops states detail says saysNot command has lacks cycles'.split(' ');

/** Rejects a row with an unknown cell, or without expected results: it would prove nothing. */
const checkColumns = (name: string, row: Row): void => {
  if (row.after !== undefined) checkColumns(`${name}, before`, { course: '', ...row.after });
  const unknown = Object.keys(row).filter((cell) => !starts.includes(cell) && !shown.includes(cell));
  if (unknown.length > 0) throw new Error(`${name}: nothing reads ${unknown.join(', ')}`);
  if (!Object.keys(row).some((cell) => shown.includes(cell))) throw new Error(`${name}: nothing is shown`);
};

const testTable = ({ installed, usual = false, runs = {}, files, walks }: Table): void => {
  const cells = new Cells(files);
  const bench = walkBench({ installed, runs: { ...(usual && usualRuns), ...cells.runs(runs) } });
  describe.each(Object.entries(walks))('%s', (title, rows) => {
    for (const [name, row] of Object.entries(rows)) checkColumns(`${title}: ${name}`, row);
    it.each(Object.entries(rows))('%s', async (_name, row) => {
      await check(bench, cells, row);
    });
  });
};

/** A suite for each YAML file of a folder, and a test for each of its rows. */
export const walkTables = (folder: string): void => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  describe.each(names)('%s', (name) => {
    for (const table of loadAll(readFileSync(join(folder, name), 'utf8')) as Table[]) testTable(table);
  });
};
