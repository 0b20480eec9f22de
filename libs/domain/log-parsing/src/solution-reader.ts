import type { Metric } from '@fleet/contracts/sessions';
import type { LineReader, LogLine } from './line-reader';

/** "Solution #1 annotation (history):", "Partial Solution #2 annotation (history):"; a single one has no number. */
const heading = /^(?:Partial )?Solution (?:#(\d+) )?annotation\b/;
const moduleLine = '*** Phaser Module:';
/** A history continues in the next line if that begins with a score, or with a placeholder for one. */
const historyGoesOn = /^\(?(?:RFZ|TFZ|PAK|LLG|RF|TF)[=+*]|^\+TNCS/;
/** Amalgamated alternatives, which do not belong to the history of this solution. */
const alternatives = /\([^()]*\)/g;
const score = /\b(RFZ|TFZ|PAK|LLG)==?(-?\d+(?:\.\d+)?)/g;

const names = { RFZ: 'rfz', TFZ: 'tfz', PAK: 'packing_clashes', LLG: 'llg' } as const;
type Score = keyof typeof names;

/** One listed solution, with its lines. */
class Solution {
  placed = 0;
  private readonly found = new Map<string, Metric>();

  constructor(private readonly line: number) {}

  /** A history contains each copy in the order of placement: the last score is that of all of them, the first RFZ the search's. */
  history(text: string, line: number): void {
    for (const [, key, value] of text.replaceAll(alternatives, ' ').matchAll(score)) {
      const name = names[key as Score];
      if (name !== 'rfz' || !this.found.has(name)) this.keep(name, Number(value), line);
    }
  }

  keep(name: string, value: Metric['value'], line: number): void {
    const unit = name === 'packing_clashes' ? ({ unit: '%' } as const) : {};
    this.found.set(name, { name, value, line, pattern: 'phaser_solutions', ...unit });
  }

  metrics(): readonly Metric[] {
    if (this.placed > 0) this.keep('copies_placed', this.placed, this.line);
    return [...this.found.values()];
  }
}

/**
 * Phaser's list of solutions, of which the first is the best: its values are the result. The list at the end, with headings, overrides all
 * earlier ones; without headings the first set of the last module with a list is used.
 */
export class SolutionReader implements LineReader {
  private headed: Solution | undefined;
  private unheaded: Solution | undefined;
  /** The solution that is being read. */
  private open: Solution | undefined;
  private inHistory = false;
  /** Number of the heading above; undefined without one. */
  private number: number | undefined;
  private firstOfModule = true;
  /** For a program that prints the group before the set. */
  private groupAbove: { readonly name: string; readonly line: number } | undefined;

  line({ text, number: lineNumber }: LogLine): void {
    if (this.inHistory && historyGoesOn.test(text)) {
      this.open?.history(text, lineNumber);
      return;
    }
    this.inHistory = false;
    const found = heading.exec(text);
    if (found !== null) this.begin(Number(found[1] ?? 1));
    else if (text.startsWith(moduleLine)) this.begin(undefined);
    else if (text.startsWith('SOLU ')) this.record(text, lineNumber);
  }

  metrics(): readonly Metric[] {
    return (this.headed ?? this.unheaded)?.metrics() ?? [];
  }

  private begin(number: number | undefined): void {
    this.number = number;
    this.firstOfModule = true;
    this.open = undefined;
    this.groupAbove = undefined;
  }

  private record(text: string, line: number): void {
    const [, kind, rest = ''] = /^SOLU (\w+) ?(.*)$/.exec(text) ?? [];
    if (kind === 'SET') this.startSet(rest, line);
    else if (kind === '6DIM' && this.open !== undefined) this.open.placed += 1;
    else if (kind === 'SPAC') {
      this.groupAbove = { name: rest, line };
      this.open?.keep('space_group', rest, line);
    }
  }

  private startSet(history: string, line: number): void {
    this.open = new Solution(line);
    this.inHistory = true;
    if (this.groupAbove !== undefined) this.open.keep('space_group', this.groupAbove.name, this.groupAbove.line);
    this.open.history(history, line);
    if (this.number === 1) this.headed = this.open;
    else if (this.number === undefined && this.firstOfModule) this.unheaded = this.open;
    this.firstOfModule = false;
  }
}
