import { analysedCycles, shortName, type Session, type SessionFile } from '@fleet/contracts/sessions';
import { baseName, excludedFromResult, ligandEvidence, type LigandEvidence } from '@fleet/files';
import type { MetricDefinition, RuleBook } from '@fleet/knowledge-model';
import { markdownCell, markdownCode, pathBelow } from '@fleet/session-report';
import { resultNumbers } from './judged-numbers';
import { measuredOn } from './measured-on';
import { bestResult } from './summary-best';

const fileLine = (session: Session, { path, program, cycle }: SessionFile): string => {
  const origin = cycle === 0 ? 'submitted' : `${markdownCell(program ?? 'submitted')}, cycle ${cycle}`;
  return `${markdownCode(pathBelow(session.folder, path))} (${origin})`;
};

/**
 * Section "Final quality": the metrics of the best model, each as last measured, with a rating at this resolution. Metrics of another model,
 * or of one with a ligand without evidence, are excluded.
 */
export const qualitySection = (session: Session, ruleBook: RuleBook): readonly string[] => {
  const { trials } = ligandEvidence(session, ruleBook.ligandEvidence);
  const measured = measuredOn(session, ruleBook);
  const { model, measuredAtStart } = measured;
  const rows = resultNumbers(session, ruleBook, measured).map(({ name, label, text, word = '', cycle, program }) => {
    const start = cycle === measuredAtStart ? ', at its start' : '';
    const from = `${shortName(program)}, cycle ${cycle}${start}${againstMap(session, cycle, ruleBook.metrics[name])}`;
    return `| ${[label, text, word, from].map(markdownCell).join(' | ')} |`;
  });
  const table =
    rows.length === 0
      ? ['Nothing was measured.']
      : ['| Metric | Value | Assessment | From |', '| --- | --- | --- | --- |', ...rows];
  const of = model === undefined ? [] : [`Of the best model, ${fileLine(session, model)}.`, ''];
  const ligands = trials.flatMap(({ sentence }) => (sentence === undefined ? [] : [`- ${markdownCell(sentence)}`]));
  const evidence = ligands.length === 0 ? [] : ['', ...ligands];
  return ['## Final quality', '', ...of, ...table, ...evidence];
};

/** The map of a correlation, or nothing for other metrics. */
const againstMap = (session: Session, cycle: number, definition: MetricDefinition | undefined): string => {
  if (definition?.of_map !== true) return '';
  const inputs = session.cycles.find((one) => one.cycle === cycle)?.decision.inputs ?? [];
  const map = inputs.find(({ slot }) => slot === 'map' || slot === 'judging_map' || slot === 'full_map');
  const halves = inputs.filter(({ slot }) => slot === 'half_map');
  if (map === undefined) return halves.length < 2 ? '' : ', against the mean of the half maps';
  return `, against ${baseName(map.path)}`;
};

/** Files for users: structures, maps, data, restraints, but not logs of programs. */
const isResult = ({ facts }: SessionFile): boolean => facts.format !== 'text' && facts.format !== 'unknown';

const maxFiles = 40;

/** Files of models, fits and maps with a ligand without evidence. */
const besideLines = (session: Session, { isSetAside }: LigandEvidence): readonly string[] => {
  const files = analysedCycles(session).flatMap(({ result }) => result.outputs.filter(isResult).filter(isSetAside));
  if (files.length === 0) return [];
  const shown = files.slice(0, maxFiles).map((file) => `- ${fileLine(session, file)}`);
  return ['', 'Kept beside the result, with a ligand that was left out of it:', '', ...shown];
};

/** Section "Output files": the best model and its map, then the files of every program's last success, the newest first. */
export const outputSection = (session: Session, ruleBook: RuleBook): readonly string[] => {
  const best = bestResult(session, ruleBook)?.files ?? [];
  const named = new Set(best.map(({ path }) => path));
  const programs = new Set<string>();
  const evidence = ligandEvidence(session, ruleBook.ligandEvidence);
  const beside = excludedFromResult(session, ruleBook).cycles;
  const others = analysedCycles(session)
    .toReversed()
    .filter(
      ({ cycle, decision, result }) =>
        result.outcome === 'success' &&
        !beside.has(cycle) &&
        !programs.has(decision.program) &&
        programs.add(decision.program),
    )
    .flatMap(({ result }) => result.outputs.filter((file) => isResult(file) && !named.has(file.path)));
  const files = [...best, ...others];
  const shown = files.slice(0, maxFiles).map((file) => {
    const mark = named.has(file.path) ? `, ${file === best[0] ? 'the best model' : 'its map'}` : '';
    return `- ${fileLine(session, file)}${mark}`;
  });
  const more = files.length > maxFiles ? [`- and ${files.length - maxFiles} more`] : [];
  return [
    '## Output files',
    '',
    ...(shown.length === 0 ? ['None.'] : [`In ${markdownCode(session.folder)}:`, '', ...shown, ...more]),
    ...besideLines(session, evidence),
  ];
};
