import type { MtzFacts, SessionFile } from '@fleet/contracts/sessions';
import { emptyColumns, freeColumns, isSameFreeSet, preferredLabels, stemOf } from '@fleet/files';
import type { Facts } from '@fleet/knowledge-model';

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
  return {
    [`${at}.arrays`]: arraysIn(mtz),
    [`${at}.labels`]: preferredLabels(mtz.observations, 'amplitude', false),
    [`${at}.intensity_labels`]: preferredLabels(mtz.observations, 'intensity', false),
    [`${at}.anomalous_labels`]: preferredLabels(mtz.observations, 'intensity', true),
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
