import { groupAlternatives, plainGroup } from './space-groups';

const rules = {
  space_groups: [
    ['P 21 21 21', 'P 21 21 2', 'P 2 2 2'],
    ['P 41', 'P 42', 'P 43', 'P 4'],
    ['P 4', 'P 99'],
  ],
  hands: [['P 41', 'P 43']],
};

describe('a space group', () => {
  it.each([
    ['P 21 21 21 (No. 19)', 'P212121'],
    [' p212121 ', 'P212121'],
    ['P 1 21 1', 'P21'],
    ['C 1 2 1', 'C2'],
    ['P 2 1', 'P21'],
    ['P 1', 'P1'],
    ['P 1 1 1', 'P111'],
    ['P 21 21 2', 'P21212'],
    ['P 1 2 3', 'P123'],
    ['P 1 1 1 1', 'P1111'],
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
