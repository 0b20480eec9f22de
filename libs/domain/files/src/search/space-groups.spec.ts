import { groupAlternatives, plainGroup } from './space-groups';

const rules = {
  space_groups: [
    ['P 21 21 21', 'P 21 21 2', 'P 2 2 2'],
    ['P 41', 'P 42', 'P 43', 'P 4'],
    ['P 4', 'P 99'],
  ],
  hands: [['P 41', 'P 43']],
};

describe('the space groups of a search', () => {
  it.each([
    ['P 21 21 21 (No. 19)', 'P 21 21 21'],
    [' p212121 ', 'P 21 21 21'],
    ['P 2(1) 2(1) 2(1)', 'P 21 21 21'],
    ['P 1 21 1', 'P 1 21 1'],
    ['P 2 1', 'P 1 21 1'],
    ['C 2', 'C 1 2 1'],
    ['H 3 2', 'R 3 2:H'],
    ['R 3 2 :H', 'R 3 2:H'],
    ['x 1', 'X 1'],
  ])('%s has one normalised name', (name, plain) => {
    expect(plainGroup(name)).toBe(plain);
  });

  it('could be another of its point group, or its mirror image', () => {
    expect(groupAlternatives('P212121', rules)).toEqual({ others: ['P 21 21 2', 'P 2 2 2'] });
    expect(groupAlternatives('P 43', rules)).toEqual({ hand: 'P 41', others: ['P 41', 'P 42', 'P 4'] });
  });

  it('without screw axes may be only the point group', () => {
    expect(groupAlternatives('P222', rules)).toEqual({ others: ['P 21 21 21', 'P 21 21 2'], pointGroupAlone: true });
    expect(groupAlternatives('P 4', rules).pointGroupAlone).toBe(true);
    expect(groupAlternatives('P 42', rules).pointGroupAlone).toBeUndefined();
    expect(groupAlternatives('P 99', rules).pointGroupAlone).toBeUndefined();
  });

  it('in several sets belongs to the first', () => {
    expect(groupAlternatives('P 4', rules).others).toEqual(['P 41', 'P 42', 'P 43']);
    expect(groupAlternatives('P 4', rules).others).toEqual(['P 41', 'P 42', 'P 43']);
  });

  it('with an unknown name has no alternatives', () => {
    expect(groupAlternatives(undefined, rules)).toEqual({ others: [] });
    expect(groupAlternatives('X 1', rules)).toEqual({ others: [] });
  });
});
