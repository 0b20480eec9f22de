import type { Metric } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { metricsOfReport, ProgramLogFormat, type LogReading } from '@fleet/log-parsing';

/** What a log says, as far as the client sent it. */
export interface LogSaid extends Pick<LogReading, 'metrics' | 'tail' | 'signs'> {
  /** Whether those are the log's own last lines: what is cut on its way keeps its beginning. */
  readonly whole: boolean;
}

/** Reads the text of a program's log. */
export type ReadLog = (program: string, text: string) => LogSaid;

export const noLog: LogSaid = { metrics: [], tail: [], signs: { statements: [] }, whole: false };

/** What the program says itself comes before what the client's agent has made of it. */
const withReport = (metrics: readonly Metric[], text: string): readonly Metric[] => {
  const names = new Set(metrics.map(({ name }) => name));
  return [...metrics, ...metricsOfReport(text).filter(({ name }) => !names.has(name))];
};

/** The patterns of each program are compiled when its first log comes. */
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
