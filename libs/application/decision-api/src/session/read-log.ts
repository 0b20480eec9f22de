import type { Metric } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { metricsOfReport, ProgramLogFormat, type LogReading } from '@fleet/log-parsing';

/** The content of a log, as far as the client sent it. */
export interface LogContent extends Pick<LogReading, 'metrics' | 'tail' | 'signs'> {
  /** Whether the end of the log is included: truncation keeps the beginning. */
  readonly whole: boolean;
}

/** Reads the text of a program's log. */
export type ReadLog = (program: string, text: string) => LogContent;

export const noLog: LogContent = { metrics: [], tail: [], signs: { statements: [] }, whole: false };

/** The program's own metrics take precedence over the client's report. */
const withReport = (metrics: readonly Metric[], text: string): readonly Metric[] => {
  const names = new Set(metrics.map(({ name }) => name));
  return [...metrics, ...metricsOfReport(text).filter(({ name }) => !names.has(name))];
};

/** The patterns of each program are compiled when its first log is read. */
export const logReader = ({ programs, errors, transport }: RuleBook): ReadLog => {
  const longest = transport.request.log_content?.max_length ?? Infinity;
  const formats = new Map<string, ProgramLogFormat>();
  const formatOf = (program: string): ProgramLogFormat => {
    const known = Object.hasOwn(programs, program) ? program : '';
    const format = formats.get(known) ?? new ProgramLogFormat(programs[known] ?? { name: '', metrics: [] }, errors);
    formats.set(known, format);
    return format;
  };
  return (program, text) => {
    if (text === '') return noLog;
    const reader = formatOf(program).open();
    reader.push(new TextEncoder().encode(text));
    const { metrics, tail, signs } = reader.end();
    return { metrics: withReport(metrics, text), tail, signs, whole: text.length < longest };
  };
};
