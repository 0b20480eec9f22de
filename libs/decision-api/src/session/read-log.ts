import type { Metric } from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import { ProgramLogFormat } from '@fleet/log-parsing';

/** Reads metrics from the text of a program's log. */
export type ReadLog = (program: string, text: string) => readonly Metric[];

/** The patterns of each program are compiled when its first log comes. */
export const logReader = ({ programs }: RuleBook): ReadLog => {
  const formats = new Map<string, ProgramLogFormat>();
  const formatOf = (program: string): ProgramLogFormat | undefined => {
    const patterns = programs[program]?.metrics;
    if (patterns === undefined) return undefined;
    const format = formats.get(program) ?? new ProgramLogFormat(program, patterns);
    formats.set(program, format);
    return format;
  };
  return (program, text) => {
    const reader = text === '' ? undefined : formatOf(program)?.open();
    reader?.push(new TextEncoder().encode(text));
    return reader?.end().metrics ?? [];
  };
};
