import { analysedCycles, type Session, type SessionFile } from '@fleet/contracts';
import { ligandEvidence, type LigandEvidence } from '@fleet/files';
import type { ProgramGroup, RuleBook } from '@fleet/knowledge-model';
import { pathBelow } from './format-cycle';
import { metricLabel, metricText } from './metric-text';
import { markdownCell, markdownCode } from './plain-text';
import { qualityWord } from './quality-word';
import { bestResult } from './summary-best';
import { experimentOf, lastMetric, resolutionOf, succeeded, type SucceededCycle } from './summary-facts';

const fileLine = (session: Session, { path, program, cycle }: SessionFile): string =>
  `${markdownCode(pathBelow(session.folder, path))} (${markdownCell(program ?? 'submitted')}, cycle ${cycle})`;

/** Whose word counts for a metric: R values are those of the refined model, not of a map that was made for a look at it. */
const refiningGroups: readonly ProgramGroup[] = ['refinement', 'building'];
const judges: Readonly<Record<string, readonly ProgramGroup[]>> = { r_free: refiningGroups, r_work: refiningGroups };
/** Whose word counts for all others; what they do not measure is taken from whoever did. */
const otherJudges: readonly ProgramGroup[] = ['validation'];

/** A metric as last measured by those whose word counts for it, else by anyone. */
const judged = (cycles: readonly SucceededCycle[], name: string, programs: RuleBook['programs']) => {
  const groups = judges[name] ?? otherJudges;
  const own = cycles.filter(({ decision }) => {
    const group = programs[decision.program]?.group;
    return group !== undefined && groups.includes(group);
  });
  return lastMetric(own, name) ?? lastMetric(cycles, name);
};

/**
 * Section "Final quality": the numbers of the best model, each as last measured, with a word for what it is worth at this resolution. What was
 * measured on another model, or with a ligand that has no evidence, is not mixed in; only where the best model has no number of its own, everything counts.
 */
export const qualitySection = (session: Session, ruleBook: RuleBook): readonly string[] => {
  const { metrics, summary, programs } = ruleBook;
  const { trials, keptBeside } = ligandEvidence(session, ruleBook.ligandEvidence);
  const best = bestResult(session, ruleBook);
  const isMeasured = best?.cycles.some(({ cycle, result }) => cycle === best.model.cycle && result.metrics.length > 0);
  const cycles =
    best !== undefined && isMeasured === true
      ? best.cycles
      : succeeded(session).filter(({ cycle }) => !keptBeside.has(cycle));
  const resolution = resolutionOf(session);
  const rows = summary.quality[experimentOf(session)].flatMap((name) => {
    const found = judged(cycles, name, programs);
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
  const of = best === undefined ? [] : [`Of the best model, ${fileLine(session, best.model)}.`, ''];
  const ligands = trials.flatMap(({ sentence }) => (sentence === undefined ? [] : [`- ${markdownCell(sentence)}`]));
  const evidence = ligands.length === 0 ? [] : ['', ...ligands];
  return ['## Final quality', '', ...(isMeasured === true ? of : []), ...table, ...evidence];
};

/** What users take away: structures, maps, data, restraints; not the logs of programs. */
const isResult = ({ facts }: SessionFile): boolean => facts.format !== 'text' && facts.format !== 'unknown';

const mostFiles = 40;

/** Files of models, fits and maps with a ligand for which there is no evidence. */
const besideLines = (session: Session, { isSetAside }: LigandEvidence): readonly string[] => {
  const files = analysedCycles(session).flatMap(({ result }) => result.outputs.filter(isResult).filter(isSetAside));
  if (files.length === 0) return [];
  const shown = files.slice(0, mostFiles).map((file) => `- ${fileLine(session, file)}`);
  return ['', 'Kept beside the result, with a ligand that was left out of it:', '', ...shown];
};

/** Section "Output files": the best model and its map, then of every program the files of its last success, the newest first. */
export const outputSection = (session: Session, ruleBook: RuleBook): readonly string[] => {
  const best = bestResult(session, ruleBook)?.files ?? [];
  const named = new Set(best.map(({ path }) => path));
  const programs = new Set<string>();
  const evidence = ligandEvidence(session, ruleBook.ligandEvidence);
  const others = analysedCycles(session)
    .toReversed()
    .filter(
      ({ cycle, decision, result }) =>
        result.outcome === 'success' &&
        !evidence.keptBeside.has(cycle) &&
        !programs.has(decision.program) &&
        programs.add(decision.program),
    )
    .flatMap(({ result }) => result.outputs.filter((file) => isResult(file) && !named.has(file.path)));
  const files = [...best, ...others];
  const shown = files.slice(0, mostFiles).map((file) => {
    const mark = named.has(file.path) ? `, ${file === best[0] ? 'the best model' : 'its map'}` : '';
    return `- ${fileLine(session, file)}${mark}`;
  });
  const more = files.length > mostFiles ? [`- and ${files.length - mostFiles} more`] : [];
  return [
    '## Output files',
    '',
    ...(shown.length === 0 ? ['None.'] : [`In ${markdownCode(session.folder)}:`, '', ...shown, ...more]),
    ...besideLines(session, evidence),
  ];
};
