import { readRange } from './byte-range';

describe('a Range header', () => {
  it.each([
    ['bytes=0-3', { start: 0, end: 3 }],
    ['bytes=4-', { start: 4, end: 9 }],
    ['bytes=4-99', { start: 4, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=10-', 'outside'],
    ['bytes=-0', 'outside'],
    ['bytes=3-1', undefined],
    ['bytes=0-1,4-5', undefined],
    ['lines=0-1', undefined],
    [undefined, undefined],
  ])('%s of ten bytes is %j', (header, expected) => {
    expect(readRange(header, 10)).toEqual(expected);
  });

  it('is unsatisfiable for an empty file', () => {
    expect(readRange('bytes=0-', 0)).toBe('outside');
    expect(readRange('bytes=-1', 0)).toBe('outside');
  });
});
