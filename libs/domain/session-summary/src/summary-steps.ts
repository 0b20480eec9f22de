import { isEnded, shortName, type CycleRecord, type Session } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { durationText, isSimulated, markdownCell, metricLabel, metricText, programTime } from '@fleet/session-report';

/** Programs in order; repeats are counted: `xtriage → refine ×3 → molprobity`. */
export const workflowPath = (cycles: readonly CycleRecord[]): string => {
  const steps: { name: string; count: number }[] = [];
  for (const { decision, result } of cycles) {
    const name = `${shortName(decision.program)}${result?.outcome === 'failed' ? ' (failed)' : ''}`;
    const last = steps.at(-1);
    if (last?.name === name) last.count += 1;
    else steps.push({ name, count: 1 });
  }
  return steps.map(({ name, count }) => (count > 1 ? `${name} ×${count}` : name)).join(' → ');
};

/** Section "Workflow path". */
export const pathSection = (session: Session): readonly string[] => [
  '## Workflow path',
  '',
  session.cycles.length === 0 ? 'Nothing was run.' : workflowPath(session.cycles),
];

/** The metric of a step, or the word `done`. */
const keyMetric = ({ decision, result }: CycleRecord, { metrics, summary }: RuleBook): string => {
  if (result === undefined) return 'not finished';
  if (result.outcome === 'failed') return result.summary;
  const shown = summary.steps[decision.program];
  const found = (shown?.metrics ?? [])
    .map((name) => result.metrics.find((metric) => metric.name === name))
    .find((metric) => metric !== undefined);
  if (found === undefined) return shown?.done ?? 'Completed';
  return `${metricLabel(found.name, metrics)}: ${metricText(found.name, found.value, metrics)}`;
};

const outcomeMark = ({ result }: CycleRecord): string => {
  if (result === undefined) return '…';
  return result.outcome === 'success' ? '✓' : '✗';
};

const stepRow = (cycle: CycleRecord, ruleBook: RuleBook): string => {
  const version = cycle.attempts.at(-1)?.programVersion ?? '';
  const by = isSimulated(cycle) ? `**simulated** (${markdownCell(version)})` : markdownCell(version);
  const cells = [String(cycle.cycle), shortName(cycle.decision.program), outcomeMark(cycle)];
  return `| ${[...cells, markdownCell(keyMetric(cycle, ruleBook)), by].join(' | ')} |`;
};

const leftOutLines = (cycles: readonly CycleRecord[]): readonly string[] =>
  cycles.flatMap(({ cycle, result }) =>
    (result?.leftOut ?? []).map((sentence) => `- Cycle ${cycle}: ${markdownCell(sentence)}`),
  );

/** Section "Steps performed": one row per cycle with its key metric, then what was skipped. */
export const stepsSection = (session: Session, ruleBook: RuleBook): readonly string[] => [
  '## Steps performed',
  '',
  '| Cycle | Program | | Key metric | Run by |',
  '| --- | --- | --- | --- | --- |',
  ...session.cycles.map((cycle) => stepRow(cycle, ruleBook)),
  ...withGap(leftOutLines(session.cycles)),
];

/** A list after a table needs a blank line. */
const withGap = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', ...lines]);

const share = (part: number, whole: number): string => (whole > 0 ? `${((100 * part) / whole).toFixed(0)} %` : '–');

/** The latest time in the record: the rewritten record of a recovered session has the time of its submission. */
const lastMoment = ({ updatedAt, cycles }: Session): number =>
  Math.max(
    Date.parse(updatedAt),
    ...cycles.flatMap(({ result }) => (result === undefined ? [] : [Date.parse(result.analysedAt)])),
  );

/** Section "Timing": wall time of the session's own programs, their share of all program time, and the session's whole time. */
export const timingSection = (session: Session, now?: number): readonly string[] => {
  const until = isEnded(session.status) ? undefined : now;
  // The cycles that a fork copied belong to the original session.
  const begun = session.request.forkedFrom?.afterCycle ?? 0;
  const own = session.cycles.filter(({ cycle }) => cycle > begun);
  const times = own.map((cycle) => ({ cycle, time: programTime(cycle, until) }));
  const total = times.reduce((sum, { time }) => sum + time, 0);
  const whole = Math.max(until ?? 0, lastMoment(session)) - Date.parse(session.createdAt);
  const span = isEnded(session.status) ? 'from submission to its end' : 'since its submission';
  return [
    '## Timing',
    '',
    '| Cycle | Program | Launches | Wall time | Share |',
    '| --- | --- | --- | --- | --- |',
    ...times.map(({ cycle, time }) => {
      const launches = String(cycle.attempts.length);
      return `| ${cycle.cycle} | ${shortName(cycle.decision.program)} | ${launches} | ${durationText(time)} | ${share(time, total)} |`;
    }),
    '',
    `Programs ${durationText(total)}, the session ${span} ${durationText(whole)} (programs ${share(total, whole)} of it).`,
  ];
};
