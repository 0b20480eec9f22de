import { bandAt } from '@fleet/contracts/results';
import type { CycleRecord, Metric, ResultMetric } from '@fleet/contracts/sessions';
import { metricLabel, metricText, qualityWord, type MetricDefinitions, type QualityWord } from '@fleet/session-report';

/** A number with its rating, and the limits of the ratings. */
export interface Judged {
  readonly name: string;
  readonly label: string;
  readonly meaning: string;
  readonly value: string;
  readonly quality: QualityWord;
  readonly good: string;
  readonly acceptable: string;
  readonly program: string;
  readonly cycle: number;
}

type Definition = NonNullable<MetricDefinitions[string]>;

/** The explanation of a metric; the source of its bands, which follows it, is for maintainers of the knowledge. */
const meaningOf = ({ why }: Definition): string => why.split(/[;.] /)[0] ?? '';

/** The metrics rated by knowledge/metrics.yaml, in its order. @param resolution Å */
export const judged = (
  metrics: readonly ResultMetric[],
  definitions: MetricDefinitions,
  resolution: number | undefined,
): readonly Judged[] =>
  Object.entries(definitions).flatMap(([name, definition]) => {
    const found = metrics.find((metric) => metric.name === name);
    const band = bandAt(definition.bands ?? [], resolution);
    if (found === undefined || band === undefined || typeof found.value !== 'number') return [];
    const quality = qualityWord(found.value, definition, resolution);
    if (quality === undefined) return [];
    const text = (value: number): string => metricText(name, value, definitions);
    const { label, better } = definition;
    const sign = better === 'lower' ? '≤' : '≥';
    const { program, cycle } = found;
    const [good, acceptable] = [`${sign} ${text(band.good)}`, `${sign} ${text(band.acceptable)}`];
    return [
      {
        name,
        label,
        meaning: meaningOf(definition),
        value: text(found.value),
        quality,
        good,
        acceptable,
        program,
        cycle,
      },
    ];
  });

/** A cycle's measurements of a ligand, with labels. */
export interface LigandMeasured {
  readonly cycle: number;
  readonly program: string;
  readonly metrics: readonly { readonly label: string; readonly text: string }[];
}

const ofLigand = /^(ligand_|n_ligands$|atoms_placed$|atoms_in_density$|starting_(local_)?cc$|cc_[12]_[23]$|polder_)/;

/** The cycles that measured a ligand, oldest first. */
export const ligandCycles = (
  cycles: readonly CycleRecord[],
  definitions: MetricDefinitions,
): readonly LigandMeasured[] =>
  cycles.flatMap(({ cycle, decision: { program }, result }) => {
    if (result?.outcome !== 'success') return [];
    const metrics = result.metrics
      .filter(({ name }: Metric) => ofLigand.test(name))
      .map(({ name, value }) => ({
        label: metricLabel(name, definitions),
        text: metricText(name, value, definitions),
      }));
    return metrics.length === 0 ? [] : [{ cycle, program, metrics }];
  });
