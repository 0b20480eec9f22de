import type { AdviceKnowledge } from '@fleet/knowledge-model';

/** Energy in keV times wavelength in Å (CODATA 2018: h c / e). */
const keVÅ = 12.398_42;

/** A number as people write it: `3`, `three`, `twice`; undefined for what is none. */
export const countOf = (word: string, { numbers }: AdviceKnowledge): number | undefined =>
  /^\d+$/.test(word) ? Number(word) : Object.hasOwn(numbers, word) ? numbers[word] : undefined;

/** A fraction as people write it: `0.25`, `.25`, `25 %`. */
export const fractionOf = (text: string): number => {
  const number = Number(text.replace('%', '').trim());
  return text.includes('%') ? Number((number / 100).toPrecision(6)) : number;
};

/** The wavelength in Å of an energy in keV. */
export const wavelengthOf = (keV: number): number => Number((keVÅ / keV).toPrecision(5));
