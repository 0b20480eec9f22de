import type {
  BestFileView,
  CycleRecord,
  FileUse,
  ResultMetric,
  ResultsView,
  Session,
  SessionFile,
} from '@fleet/contracts/sessions';
import { explainedOutcome, isSimulated } from '@fleet/session-report';
import { inputHref, outputFiles, sessionPath } from './session-view';

/** The best file for a purpose, according to the knowledge. */
export interface BestFile {
  /** For example `model` or `map_coeffs_mtz`. */
  readonly category: string;
  readonly file: SessionFile;
  readonly score: number;
  readonly stage: string;
}

/** The last value of each metric from a successful cycle about the best model, if there is one. */
const lastMetrics = (cycles: readonly CycleRecord[]): readonly ResultMetric[] => {
  const last = new Map<string, ResultMetric>();
  for (const { cycle, decision, result } of cycles) {
    if (result?.outcome !== 'success') continue;
    for (const { name, value, unit } of result.metrics) {
      last.set(name, { name, value, ...(unit !== undefined && { unit }), cycle, program: decision.program });
    }
  }
  return [...last.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
};

export const toResultsView = (
  session: Session,
  best: readonly BestFile[],
  cyclesOfBest: readonly CycleRecord[] = session.cycles,
  submitted: readonly FileUse[] = [],
): ResultsView => {
  const files = outputFiles(session);
  const hrefOf = new Map(files.map((file) => [file.path, file.href]));
  const bestFiles = best.map(({ category, stage, score, file }): BestFileView => {
    const href = file.cycle === 0 ? inputHref(session, file) : hrefOf.get(file.path);
    return { category, stage, score, path: file.path, cycle: file.cycle, ...(href !== undefined && { href }) };
  });
  const outcome = explainedOutcome(session);
  return {
    id: session.id,
    status: session.status,
    ...(session.stop !== undefined && { stop: session.stop }),
    ...(outcome !== undefined && { outcome }),
    simulated: session.cycles.some(isSimulated),
    folder: session.folder,
    bestFiles,
    metrics: lastMetrics(cyclesOfBest),
    files,
    submitted,
    summary: `${sessionPath(session.id)}/summary`,
  };
};
