import type { Metric, Session, SessionStop } from '@fleet/contracts';
import { isSimulated, outputFiles, sessionPath, type OutputFile } from '../sessions/session-view';
import type { BestFile } from './agent-knowledge';

export interface BestFileView {
  readonly category: string;
  readonly stage: string;
  readonly score: number;
  readonly path: string;
  readonly cycle: number;
  /** Absent for a submitted file: the submitter has it. */
  readonly href?: string;
}

export interface MetricView {
  readonly name: string;
  readonly value: Metric['value'];
  readonly unit?: string;
  readonly cycle: number;
  readonly program: string;
}

/** What a session has brought so far, or in the end. */
export interface ResultsView {
  readonly id: string;
  readonly status: string;
  readonly stop?: SessionStop;
  readonly simulated: boolean;
  readonly folder: string;
  readonly bestFiles: readonly BestFileView[];
  readonly metrics: readonly MetricView[];
  readonly files: readonly OutputFile[];
  readonly summary: string;
}

/** The last value of each metric, by a cycle whose program did its work. */
const lastMetrics = (session: Session): readonly MetricView[] => {
  const last = new Map<string, MetricView>();
  for (const { cycle, decision, result } of session.cycles) {
    if (result?.outcome !== 'success') continue;
    for (const { name, value, unit } of result.metrics) {
      last.set(name, { name, value, ...(unit !== undefined && { unit }), cycle, program: decision.program });
    }
  }
  return [...last.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
};

export const toResultsView = (session: Session, best: readonly BestFile[]): ResultsView => {
  const files = outputFiles(session);
  const hrefOf = new Map(files.map((file) => [file.path, file.href]));
  const bestFiles = best.map(({ category, stage, score, file }): BestFileView => {
    const href = hrefOf.get(file.path);
    return { category, stage, score, path: file.path, cycle: file.cycle, ...(href !== undefined && { href }) };
  });
  return {
    id: session.id,
    status: session.status,
    ...(session.stop !== undefined && { stop: session.stop }),
    simulated: isSimulated(session.cycles),
    folder: session.folder,
    bestFiles,
    metrics: lastMetrics(session),
    files,
    summary: `${sessionPath(session.id)}/summary`,
  };
};
