import type { MtzFacts, MtzObservation } from '@fleet/contracts';

/** A column as the header tells it; types are those of the MTZ format (CCP4 `mtzformat`). */
export interface MtzColumn {
  readonly label: string;
  readonly type: string;
  readonly min: number;
  readonly max: number;
}

/** Column types that make up observations, in file order; the longest that fits counts. */
const arrays: readonly {
  readonly types: string;
  readonly kind: MtzObservation['kind'];
  readonly anomalous: boolean;
}[] = [
  { types: 'GLGL', kind: 'amplitude', anomalous: true },
  { types: 'KMKM', kind: 'intensity', anomalous: true },
  { types: 'FQDQY', kind: 'amplitude', anomalous: true },
  { types: 'FQDQ', kind: 'amplitude', anomalous: true },
  { types: 'FQ', kind: 'amplitude', anomalous: false },
  { types: 'JQ', kind: 'intensity', anomalous: false },
];

/** What a map program writes beside its coefficients, after scaling and outlier rejection: no observations any more. */
const derived = /filtered|model|calc|^fc(_|$)/i;
const calculated = /model|calc|^fc(_|$)/i;
const freeNames = /free|^r?test|cross.?val/i;

const startsHere = (types: string, columns: readonly MtzColumn[], at: number): boolean =>
  columns
    .slice(at, at + types.length)
    .map(({ type }) => type)
    .join('') === types;

/** Arrays of observations with their standard uncertainties. */
const observationsIn = (columns: readonly MtzColumn[]): readonly MtzObservation[] => {
  const found: MtzObservation[] = [];
  for (let at = 0; at < columns.length;) {
    const array = arrays.find(({ types }) => startsHere(types, columns, at));
    const first = columns[at]?.label ?? '';
    if (array !== undefined && !derived.test(first)) {
      const labels = columns.slice(at, at + array.types.length).map(({ label }) => label);
      found.push({ labels: labels.join(','), kind: array.kind, anomalous: array.anomalous });
    }
    at += array?.types.length ?? 1;
  }
  return found;
};

/** The R-free column: of type I, named like one, and telling reflections apart; a column with one value only is no test set. */
const freeFlagIn = (columns: readonly MtzColumn[]): string | undefined =>
  columns.find(({ label, type, min, max }) => type === 'I' && freeNames.test(label) && min !== max)?.label;

const isPair = (columns: readonly MtzColumn[], at: number): boolean =>
  columns[at]?.type === 'F' && columns[at + 1]?.type === 'P';

/** Pairs of amplitude and phase from which a map can be calculated; calculated structure factors alone are none. */
const mapCoefficientsIn = (columns: readonly MtzColumn[]): readonly string[] =>
  columns.flatMap(({ label }, at) =>
    isPair(columns, at) && !calculated.test(label) ? [`${label},${columns[at + 1]?.label ?? ''}`] : [],
  );

/** Phases that belong to no map and no model: PHIB, Hendrickson-Lattman coefficients. */
const phasesIn = (columns: readonly MtzColumn[]): readonly string[] =>
  columns
    .filter(({ type }, at) => type === 'A' || (type === 'P' && !isPair(columns, at - 1)))
    .map(({ label }) => label)
    .filter((label) => !/^phic|phif?.?model/i.test(label));

/** Everything that columns tell, in the shape of the contract. */
export const columnFacts = (
  columns: readonly MtzColumn[],
): Pick<MtzFacts, 'columns' | 'observations' | 'mapCoefficients' | 'phases'> & { readonly freeFlag?: string } => {
  const freeFlag = freeFlagIn(columns);
  return {
    columns: columns.map(({ label, type }) => ({ label, type })),
    observations: observationsIn(columns),
    mapCoefficients: mapCoefficientsIn(columns),
    phases: phasesIn(columns),
    ...(freeFlag === undefined ? {} : { freeFlag }),
  };
};
