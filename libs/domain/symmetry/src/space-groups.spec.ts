import { hermannMauguin } from './space-groups';

describe('hermannMauguin', () => {
  // Reference: gemmi 0.7.5, `gemmi.find_spacegroup_by_name(…).xhm()`.
  it.each([
    ['P43212', 'P 43 21 2'],
    ['P 43 21 2', 'P 43 21 2'],
    ['p 2(1) 2(1) 2(1)', 'P 21 21 21'],
    ['P21', 'P 1 21 1'],
    ['C 2', 'C 1 2 1'],
    ['P321', 'P 3 2 1'],
    ['H 3', 'R 3:H'],
    ['R 3', 'R 3:H'],
    ['R 3 2 :R', 'R 3 2:R'],
    ['P 63/m m c', 'P 63/m m c'],
  ])('of %s is %s', (text, symbol) => {
    expect(hermannMauguin(text)).toBe(symbol);
  });

  it('is undefined for invalid names', () => {
    expect(hermannMauguin('P 7')).toBeUndefined();
  });
});
