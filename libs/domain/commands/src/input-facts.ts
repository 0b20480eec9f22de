import type { MtzFacts, MtzObservation, SessionFile } from '@fleet/contracts/sessions';
import { emptyColumns, freeColumns, isSameFreeSet, stemOf } from '@fleet/files';
import type { Facts } from '@fleet/knowledge-model';

type Kind = MtzObservation['kind'];

/** Labels of the most suitable array: merged before anomalous, and of the requested kind before the other. */
const preferred = (observations: readonly MtzObservation[], kind: Kind, anomalous: boolean): string | undefined => {
  const rank = (one: MtzObservation): number => (one.anomalous === anomalous ? 0 : 2) + (one.kind === kind ? 0 : 1);
  return observations.toSorted((one, other) => rank(one) - rank(other))[0]?.labels;
};

/** A safe name derived from a file's name without its extension: characters that a program could interpret become underscores. */
const safeStemOf = (path: string): string => {
  const safe = stemOf(path)
    .replaceAll(/[^A-Za-z0-9_.+-]/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '');
  return safe === '' ? 'file' : safe.slice(0, 100);
};

/** Unknown for an uninspected file: an assumption must never lead to another free set. */
const hasFreeFlags = ({ facts: { assumed, mtz } }: SessionFile): boolean | undefined => {
  if (mtz?.freeFlag !== undefined) return true;
  return assumed === true && mtz?.withoutFreeFlag !== true ? undefined : false;
};

/** Number of arrays that a program finds: it also counts empty columns and those of other blocks, and stops if there are several. */
const arraysIn = (mtz: MtzFacts): number => {
  // A difference is not a separate array.
  const empty = emptyColumns(mtz).filter(({ type }) => type !== 'D');
  return mtz.observations.length + empty.length + (mtz.otherArrays ?? []).length;
};

const reflectionFacts = (at: string, file: SessionFile): Facts => {
  const { mtz } = file.facts;
  if (mtz === undefined) return {};
  const labels = preferred(mtz.observations, 'amplitude', false);
  return {
    [`${at}.arrays`]: arraysIn(mtz),
    [`${at}.labels`]: labels,
    [`${at}.first_label`]: labels?.split(',')[0],
    [`${at}.intensity_labels`]: preferred(mtz.observations, 'intensity', false),
    [`${at}.anomalous_labels`]: preferred(mtz.observations, 'intensity', true),
    [`${at}.free_flags`]: hasFreeFlags(file),
    [`${at}.free_columns`]: freeColumns(mtz).length,
    [`${at}.free_label`]: freeColumns(mtz)[0],
  };
};

const lockFacts = (at: string, file: SessionFile, locked: SessionFile | undefined): Facts =>
  locked === undefined || file.facts.mtz === undefined ? {} : { [`${at}.keeps_free_set`]: isSameFreeSet(file, locked) };

/**
 * Facts about the files of a slot for rules (`input.data.labels`, `input.protein.stem`, ...).
 * @param locked the file whose free set the session has locked: `keeps_free_set` is whether this one has the same
 */
export const inputFacts = (slot: string, files: readonly SessionFile[], locked?: SessionFile): Facts => {
  const [first] = files;
  const at = `input.${slot}`;
  return first === undefined
    ? {}
    : {
        [`${at}.files`]: files.length,
        [`${at}.stem`]: safeStemOf(first.path),
        ...reflectionFacts(at, first),
        ...lockFacts(at, first, locked),
      };
};
