import { dataFile } from '@fleet/testing';
import { comparedFreeSets, isSameFreeSet } from './free-set';

const data = (path: string, freeSet?: string) => dataFile(freeSet === undefined ? {} : { freeSet }, path);
const one = data('/w/one.mtz', '01 02 03 04');

describe('two free sets', () => {
  it.each([
    ['01 02 03 04', true],
    ['01 02 04 05', true],
    ['01 02 08 09', true],
    ['01 07 08 09', false],
    ['11 12 13 14', false],
    ['01 02', true],
    ['05 06', false],
    ['02', false],
  ])('of %s and 01 02 03 04 are the same if half of the smallest hashes of both are common: %s', (hashes, same) => {
    const other = data('/w/other.mtz', hashes);
    expect(comparedFreeSets(one, other)).toBe(same);
    expect(comparedFreeSets(other, one)).toBe(same);
    expect(isSameFreeSet(one, other)).toBe(same);
  });

  it('are undetermined if a file was not inspected', () => {
    const unseen = data('/w/unseen.mtz');
    expect(comparedFreeSets(one, unseen)).toBeUndefined();
    expect(comparedFreeSets(unseen, one)).toBeUndefined();
    expect(isSameFreeSet(one, unseen)).toBe(false);
  });

  it('of the same file are the same', () => {
    expect(isSameFreeSet(data('/w/one.mtz'), one)).toBe(true);
  });
});
