import type { Metric } from '@fleet/contracts/sessions';
import type { TableName } from '@fleet/knowledge-model';
import type { LineReader, LogLine } from './line-reader';
import { SolutionReader } from './solution-reader';

const measurabilityTitle = 'Table of measurability as a function of resolution';
const measurabilityRow = /^\| [\d.]+ - [\d.]+ \| \[[^\]]*\] \| ([\d.]+) \|/;
/** Number of bins whose mean is the signal at low resolution, where a substructure is found. */
const lowBins = 3;

/** Table of the anomalous signal per resolution bin: its strongest bin and the mean of the first three. */
class MeasurabilityReader implements LineReader {
  readonly triggers = [measurabilityTitle, '|', 'measurability is defined'];
  private inTable = false;
  private readonly bins: { readonly value: number; readonly line: number }[] = [];

  line(line: LogLine): void {
    if (line.printed.includes('Table') && line.text.includes(measurabilityTitle)) this.inTable = this.bins.length === 0;
    if (!this.inTable) return;
    const { text, number: lineNumber } = line;
    const value = measurabilityRow.exec(text)?.[1];
    if (value !== undefined) this.bins.push({ value: Number(value), line: lineNumber });
    else if (text.includes('measurability is defined')) this.inTable = false;
  }

  metrics(): readonly Metric[] {
    const [first] = this.bins;
    if (first === undefined) return [];
    const strongest = this.bins.reduce((best, bin) => (bin.value > best.value ? bin : best), first);
    const low = this.bins.slice(0, lowBins);
    const mean = low.reduce((sum, bin) => sum + bin.value, 0) / low.length;
    const pattern = 'measurability_table';
    return [
      { name: 'anomalous_measurability', value: strongest.value, line: strongest.line, pattern },
      { name: 'anomalous_measurability_avg', value: Number(mean.toFixed(4)), line: first.line, pattern },
    ];
  }
}

const twinTitle = 'Statistics depending on twin laws';
const twinRow = /^\| ([-+hkl0-9/*, ]+?) \| \w+ \| [\d.]+ \| ([\d.]+) \| [\d.]+ \|/;

/** Table of twin operators in the summary: the one with the highest Britton alpha. */
class TwinLawReader implements LineReader {
  readonly triggers = [twinTitle, '|'];
  private inTable = false;
  private best: { readonly law: string; readonly alpha: number; readonly line: number } | undefined;

  line(line: LogLine): void {
    if (line.printed.includes('Statistics') && line.text.includes(twinTitle)) this.inTable = true;
    if (!this.inTable) return;
    const { text, number: lineNumber } = line;
    const row = twinRow.exec(text);
    const [law, alpha] = [row?.[1], Number(row?.[2])];
    if (law === undefined || !Number.isFinite(alpha)) return;
    if (this.best === undefined || alpha > this.best.alpha)
      this.best = { law: law.replaceAll(' ', ''), alpha, line: lineNumber };
  }

  metrics(): readonly Metric[] {
    if (this.best === undefined) return [];
    const { law, alpha, line } = this.best;
    const pattern = 'twin_law_table';
    return [
      { name: 'twin_law', value: law, line, pattern },
      { name: 'twin_fraction', value: alpha, line, pattern },
    ];
  }
}

const notSuspected = 'No twinning is suspected.';
const suspected = 'are significantly different than is expected';

/** The verdict on twinning. Its sentences may have line breaks at any word. */
class TwinVerdictReader implements LineReader {
  private previous = '';
  private verdict: { readonly none: boolean; readonly line: number } | undefined;

  line({ printed, number: lineNumber }: LogLine): void {
    const current = printed.trim();
    const joined = `${this.previous} ${current}`;
    this.previous = current;
    if (joined.includes(notSuspected)) this.keep(true, lineNumber);
    else if (joined.includes(suspected)) this.keep(false, lineNumber);
  }

  /** A sentence is matched again together with the next line; the first occurrence gives the line number. */
  private keep(none: boolean, line: number): void {
    if (this.verdict?.none !== none) this.verdict = { none, line };
  }

  metrics(): readonly Metric[] {
    if (this.verdict === undefined) return [];
    const { none, line } = this.verdict;
    return [{ name: 'no_twinning_suspected', value: none, line, pattern: 'twin_verdict' }];
  }
}

const likelyGroup = /^The likely point group of the data is: (\S.*)$/;
const tooLow = 'space group is too low';

/** The point group of the intensities, if xtriage's verdict is that the space group of the file is too low. */
class PointGroupReader implements LineReader {
  private previous = '';
  private likely: { readonly value: string; readonly line: number } | undefined;
  private isTooLow = false;

  line({ printed, text, number: line }: LogLine): void {
    const value = likelyGroup.exec(text)?.[1];
    if (value !== undefined) this.likely = { value: value.trim(), line };
    const current = printed.trim();
    if (`${this.previous} ${current}`.includes(tooLow)) this.isTooLow = true;
    this.previous = current;
  }

  metrics(): readonly Metric[] {
    if (this.likely === undefined || !this.isTooLow) return [];
    return [{ name: 'likely_point_group', ...this.likely, pattern: 'point_group' }];
  }
}

/** Readers for tables and broken sentences; a program's knowledge names those it needs (`tables`). */
export const tableReaders: Readonly<Record<TableName, () => LineReader>> = {
  measurability: () => new MeasurabilityReader(),
  twin_law: () => new TwinLawReader(),
  twin_verdict: () => new TwinVerdictReader(),
  point_group: () => new PointGroupReader(),
  phaser_solutions: () => new SolutionReader(),
};
