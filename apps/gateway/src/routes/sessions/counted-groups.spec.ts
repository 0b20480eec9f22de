import { countedGroups } from './counted-groups';

describe('the groups that are counted for a caller', () => {
  const visit = { proposal: 'mx1' };

  it('are everything for a caller who sees everything', () => {
    expect(countedGroups('all', visit)).toEqual([{ group: visit, sign: 1 }]);
  });

  it('are each of their proposals and beamlines, with overlaps counted once', () => {
    expect(countedGroups([visit, { proposal: 'mx2' }, { beamline: 'i04' }], { submitter: 'ada' })).toEqual([
      { group: { submitter: 'ada', proposal: 'mx1' }, sign: 1 },
      { group: { submitter: 'ada', proposal: 'mx2' }, sign: 1 },
      { group: { submitter: 'ada', beamline: 'i04' }, sign: 1 },
      { group: { submitter: 'ada', proposal: 'mx1', beamline: 'i04' }, sign: -1 },
      { group: { submitter: 'ada', proposal: 'mx2', beamline: 'i04' }, sign: -1 },
    ]);
  });

  it('exclude other proposals, except what was measured at their beamline', () => {
    expect(countedGroups([visit], { proposal: 'mx9' })).toEqual([]);
    expect(countedGroups([visit, { beamline: 'i04' }], { proposal: 'mx9' })).toEqual([
      { group: { proposal: 'mx9', beamline: 'i04' }, sign: 1 },
    ]);
  });

  it('are the visible sessions at a requested beamline, counted once', () => {
    const counted = countedGroups([visit, { beamline: 'i04' }], { beamline: 'i04' });
    const sum = (of: object): number =>
      counted.filter(({ group }) => JSON.stringify(group) === JSON.stringify(of)).reduce((n, { sign }) => n + sign, 0);
    expect([sum({ beamline: 'i04', proposal: 'mx1' }), sum({ beamline: 'i04' })]).toEqual([0, 1]);
  });
});
