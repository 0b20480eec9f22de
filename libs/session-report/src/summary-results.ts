import { analysedCycles, type Session, type SessionFile } from '@fleet/contracts';
import type { RuleBook } from '@fleet/knowledge-model';
import { metricLabel, metricText } from './metric-text';
import { markdownCell, markdownCode } from './plain-text';
import { qualityWord } from './quality-word';
import { experimentOf, lastMetric, resolutionOf, succeeded } from './summary-facts';

/** Section "Final quality": each metric as last measured, with a word for what it is worth at this resolution. */
export const qualitySection = (session: Session, { metrics, summary }: RuleBook): readonly string[] => {
  const cycles = succeeded(session);
  const resolution = resolutionOf(session);
  const rows = summary.quality[experimentOf(session)].flatMap((name) => {
    const found = lastMetric(cycles, name);
    if (found === undefined) return [];
    const definition = metrics[name];
    const word =
      typeof found.value === 'number' && definition !== undefined
        ? qualityWord(found.value, definition, resolution)
        : undefined;
    const from = `${found.program.replace(/^phenix\./, '')}, cycle ${found.cycle}`;
    const value = metricText(name, found.value, metrics);
    return [`| ${[metricLabel(name, metrics), value, word ?? '', from].map(markdownCell).join(' | ')} |`];
  });
  const table =
    rows.length === 0
      ? ['Nothing was measured.']
      : ['| Metric | Value | Assessment | From |', '| --- | --- | --- | --- |', ...rows];
  return ['## Final quality', '', ...table];
};

/** What users take away: structures, maps, data, restraints; not the logs of programs. */
const isResult = ({ facts }: SessionFile): boolean => facts.format !== 'text' && facts.format !== 'unknown';

const mostFiles = 40;

/** Section "Output files": of every program the files of its last success, the newest first. */
export const outputSection = (session: Session): readonly string[] => {
  const programs = new Set<string>();
  const files = analysedCycles(session)
    .toReversed()
    .filter(
      ({ decision, result }) =>
        result.outcome === 'success' && !programs.has(decision.program) && programs.add(decision.program),
    )
    .flatMap(({ result }) => result.outputs.filter(isResult));
  const shown = files.slice(0, mostFiles).map(({ path, program, cycle }) => {
    const relative = path.startsWith(`${session.folder}/`) ? path.slice(session.folder.length + 1) : path;
    return `- ${markdownCode(relative)} (${markdownCell(program ?? 'submitted')}, cycle ${cycle})`;
  });
  const more = files.length > mostFiles ? [`- and ${files.length - mostFiles} more`] : [];
  return [
    '## Output files',
    '',
    ...(shown.length === 0 ? ['None.'] : [`In ${markdownCode(session.folder)}:`, '', ...shown, ...more]),
  ];
};
