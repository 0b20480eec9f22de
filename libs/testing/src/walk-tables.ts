import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstGuidance, nextGuidance, readAdvice } from '@fleet/advice';
import type { Guidance } from '@fleet/contracts/guidance';
import type { Session } from '@fleet/contracts/sessions';
import { measuredOn, summaryMarkdown } from '@fleet/session-summary';
import { loadAll } from 'js-yaml';
import { aCatalogue, aFullCatalogue, AT, usualRuns, type Walk, type WalkOptions } from './session-walk';
import { argvOf, states, walkBench, words, type WalkBench } from './walk-bench';
import { Cells, list, type FileCells, type OneOrMore, type RunsCells } from './walk-cells';

/** A required text; between slashes, a pattern. */
type Text = string;

/** One walk: its input, and its expected results. */
interface Row extends Omit<WalkOptions, 'catalogue' | 'from'> {
  /** data.mtz and model.pdb by default. */
  readonly files?: string;
  readonly runs?: RunsCells;
  /** `all`: every program of a licensed PHENIX. */
  readonly catalogue?: Parameters<typeof aCatalogue>[0] | 'all';
  /** The previous walk that this one resumes. */
  readonly after?: Row;
  /** Advice that the rules read; new advice after a previous walk. */
  readonly reads?: string;
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
  /** Type, id and message of the events of its decisions. */
  readonly events?: OneOrMore<Text>;
  readonly eventsNot?: OneOrMore<string>;
  /** The path of the model whose numbers are the session's. */
  readonly best?: string;
  /** In the summary. */
  readonly summary?: OneOrMore<Text>;
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
  readonly files?: FileCells;
  readonly walks: Readonly<Record<string, Readonly<Record<string, Row>>>>;
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

/** As the gateway reads it. */
const guidanceOf = ({ ruleBook }: WalkBench, text: string, before: Session | undefined): Guidance | undefined => {
  const read = (raw: string) => readAdvice(raw, ruleBook, { experiment: 'xray' });
  const advice = { sources: [{ from: 'text' as const, text }] };
  return before === undefined
    ? firstGuidance(advice, read, AT)
    : nextGuidance({ ...before, status: 'completed' }, advice, read, AT);
};

const lastCycleOf = (session: Session | undefined): number => session?.cycles.at(-1)?.cycle ?? 0;

/** What a walk takes from the one before it, and from its advice. */
const guidedBy = (bench: WalkBench, { reads, advised }: Row, before: Session | undefined): WalkOptions => {
  const guidance = reads === undefined ? undefined : guidanceOf(bench, reads, before);
  return {
    ...(before !== undefined && { from: before.cycles }),
    ...(guidance !== undefined && { guidance }),
    ...(reads !== undefined && before === undefined && { advice: reads }),
    ...(advised === true && { steering: { adviceChangedAfter: lastCycleOf(before) } }),
  };
};

const walkedBy = async (bench: WalkBench, cells: Cells, row: Row): Promise<Walk> => {
  const { files = 'data.mtz model.pdb', runs = {}, catalogue, after } = row;
  const before = after && (await check(bench, cells, after)).session;
  return bench.walk(cells.files(files), cells.runs(runs), {
    ...Object.fromEntries(Object.entries(row).filter(([name]) => optionNames.includes(name))),
    ...guidedBy(bench, row, before),
    ...(catalogue !== undefined && {
      catalogue: catalogue === 'all' ? aFullCatalogue(bench.ruleBook) : aCatalogue(catalogue),
    }),
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
  const events = walked.events
    .map(({ type, data, message }) => `${type} ${JSON.stringify(data['id'] ?? '')} ${message}`)
    .join('\n');
  hasParts(events, row.events);
  hasNone(events, row.eventsNot);
  if (row.best !== undefined) expect(measuredOn(walked.session, bench.ruleBook).model?.path).toBe(row.best);
  if (row.summary !== undefined) hasParts(summaryMarkdown(walked.session, bench.ruleBook), row.summary);
  return walked;
};

const starts = ['files', 'runs', 'catalogue', 'after', 'advised', 'reads', ...optionNames];
const shown =
  'course passes avoids stops states detail says saysNot command has lacks cycles events eventsNot best summary'.split(
    ' ',
  );

/** Rejects a row with an unknown cell, or without expected results: it would prove nothing. */
const checkColumns = (name: string, row: Row): void => {
  if (row.after !== undefined) checkColumns(`${name}, before`, { course: '', ...row.after });
  const unknown = Object.keys(row).filter((cell) => !starts.includes(cell) && !shown.includes(cell));
  if (unknown.length > 0) throw new Error(`${name}: nothing reads ${unknown.join(', ')}`);
  if (!Object.keys(row).some((cell) => shown.includes(cell))) throw new Error(`${name}: nothing is shown`);
};

const open = ({ installed, usual = false, runs = {}, files }: Table): { bench: WalkBench; cells: Cells } => {
  const cells = new Cells(files);
  return { cells, bench: walkBench({ installed, runs: { ...(usual && usualRuns), ...cells.runs(runs) } }) };
};

const tablesOf = (path: string): readonly Table[] => loadAll(readFileSync(path, 'utf8')) as Table[];

const testTable = (table: Table): void => {
  const { bench, cells } = open(table);
  describe.each(Object.entries(table.walks))('%s', (title, rows) => {
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
    for (const table of tablesOf(join(folder, name))) testTable(table);
  });
};

/** The rows of a YAML file, walked: their results are for the spec to judge. */
export const walkedRows = (
  path: string,
): (() => Promise<readonly { readonly title: string; readonly name: string; readonly walk: Walk }[]>) => {
  const rows = tablesOf(path).flatMap((table) => {
    const { bench, cells } = open(table);
    return Object.entries(table.walks).flatMap(([title, group]) =>
      Object.entries(group).map(([name, row]) => ({ title, name, walk: () => walkedBy(bench, cells, row) })),
    );
  });
  return () => Promise.all(rows.map(async ({ walk, ...row }) => ({ ...row, walk: await walk() })));
};
