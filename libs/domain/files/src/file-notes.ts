import type { MtzFacts, SessionFile } from '@fleet/contracts/sessions';
import { isObservation } from './descendants';
import { emptyColumns } from './empty-columns';
import { isUnmerged } from './file-order';
import { cellDifference, freeColumns, freeSetFor } from './free-set-apart';
import { halfMapNotes, halfMapsOf } from './half-maps';
import { baseName } from './name-glob';
import { preferredLabels } from './observation-labels';
import { programNames } from './program-names';

/** Everything that the notes about a used file depend on. */
export interface FileNotesInput {
  readonly submitted: readonly SessionFile[];
  /** All files of the session. */
  readonly all: readonly SessionFile[];
  /** Programs that generate a test set themselves for data without one. */
  readonly ownFreeSet: readonly string[];
}

const arrayNotes = ({ observations }: MtzFacts): readonly string[] => {
  if (observations.length < 2) return [];
  const used = preferredLabels(observations, 'amplitude', false) ?? '';
  const signal = preferredLabels(observations, 'intensity', true) ?? '';
  const isTwo = signal !== used && observations.some(({ anomalous }) => anomalous);
  const others = observations.map(({ labels }) => labels).filter((one) => one !== used && !(isTwo && one === signal));
  const unused = others.length === 0 ? '' : ` Not used: ${others.join('; ')}.`;
  return [
    `It has several arrays of observations. Used: ${used}${isTwo ? `; for the anomalous signal: ${signal}` : ''}.${unused} The rule: merged Friedel mates before separate ones, amplitudes before intensities, then the first array; for anomalous signal, separate mates and intensities come first.`,
  ];
};

const columnNotes = ({ facts: { mtz } }: SessionFile): readonly string[] => {
  if (mtz === undefined) return [];
  const columns = freeColumns(mtz);
  const empty = emptyColumns(mtz).map(({ label }) => label);
  return [
    ...(empty.length === 0
      ? []
      : [`Columns that are not used, because they hold no value or the same one everywhere: ${empty.join(', ')}.`]),
    ...arrayNotes(mtz),
    ...(columns.length < 2
      ? []
      : [
          `It has several columns of R-free flags: ${columns.join(', ')}. Used: ${columns[0] ?? ''}. The rule: FreeR_flag (CCP4's name), then R-free-flags (PHENIX's), then the first column.`,
        ]),
  ];
};

const flagNotes = (file: SessionFile, { submitted, ownFreeSet }: FileNotesInput): readonly string[] =>
  ownFreeSet.length > 0 && submitted.some((data) => freeSetFor(data, submitted) === file)
    ? [
        `${programNames(ownFreeSet)} cannot read flags from a separate file. Unless a refinement has written data and flags into one file before, they choose another test set, and R-free by these flags is then too low. To avoid this, give one MTZ file with data and flags.`,
      ]
    : [];

/** The data of a session may be from another crystal form than its model, or than its other data. */
const cellNotes = (file: SessionFile, { submitted }: FileNotesInput): readonly string[] => {
  const { model, cell } = file.facts;
  if (cell === undefined || (!isObservation(file) && (model?.polymerResidues ?? 0) === 0)) return [];
  const known = submitted.filter((data) => data !== file && isObservation(data) && data.facts.cell !== undefined);
  const differences = known.flatMap((data) => {
    const difference = data.facts.cell === undefined ? undefined : cellDifference(cell, data.facts.cell);
    return difference === undefined ? [] : [`Its cell is not that of ${baseName(data.path)} (${difference}).`];
  });
  return differences.length === known.length ? differences.slice(0, 1) : [];
};

/**
 * Notes for the submitter about a file that is used: what its reader found, and which of its columns are used, by which rule.
 */
export const fileNotes = (file: SessionFile, input: FileNotesInput): readonly string[] => [
  ...(file.facts.notes ?? []),
  ...halfMapNotes(file, halfMapsOf(input.all)),
  ...(isUnmerged(file) ? ['The data are unmerged: programs merge them when they read them.'] : []),
  ...columnNotes(file),
  ...flagNotes(file, input),
  ...(file.facts.model?.predicted === true ? ['Read as a predicted model.'] : []),
  ...cellNotes(file, input),
];
