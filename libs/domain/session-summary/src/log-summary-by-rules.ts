import {
  logSummaryParts,
  logSummaryTitles,
  type LogSummaryPart,
  type LogSummaryPartName,
} from '@fleet/contracts/results';
import type { CycleRecord } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { metricLabel, metricText, plainLine } from '@fleet/session-report';

/** Maximum length of a part; the record and the log have the whole. */
const longest = 3_000;

/** A number that was read from a log, with its line. */
const numberText = (
  { name, value, line }: NonNullable<CycleRecord['result']>['metrics'][number],
  { metrics }: RuleBook,
): string => `${metricLabel(name, metrics)} ${metricText(name, value, metrics)} (line ${String(line)})`;

/** One line for each number that was read from the log of a cycle. */
export const logNumbers = ({ result }: CycleRecord, ruleBook: RuleBook): readonly string[] =>
  (result?.metrics ?? []).map((metric) => plainLine(numberText(metric, ruleBook)));

const outcomeText = ({ cycle, decision, result }: CycleRecord): string =>
  result === undefined
    ? `${decision.program} of cycle ${String(cycle)} has no result yet.`
    : [`${decision.program} ended: ${result.outcome}. ${result.summary}`, ...(result.leftOut ?? [])].join(' ');

const findingsText = ({ result }: CycleRecord): string => {
  const lines = result?.errorLines ?? [];
  return lines.length === 0 ? 'No error was read.' : lines.join(' / ');
};

/** The summary of a cycle's log from its analysis, without reading the log. */
export const logSummaryByRules = (record: CycleRecord, ruleBook: RuleBook): readonly LogSummaryPart[] => {
  const numbers = logNumbers(record, ruleBook);
  const texts: Readonly<Record<LogSummaryPartName, string>> = {
    outcome: outcomeText(record),
    numbers: numbers.length === 0 ? 'No number was read.' : `${numbers.join(', ')}.`,
    findings: findingsText(record),
  };
  return logSummaryParts.map((part) => {
    const line = plainLine(texts[part].trim());
    const text = line.length > longest ? `${line.slice(0, longest)} …` : line;
    return { part, title: logSummaryTitles[part], text };
  });
};
