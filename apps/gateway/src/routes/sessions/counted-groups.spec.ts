import { countedGroups } from './counted-groups';

describe('what is counted for somebody', () => {
  const visit = { proposal: 'mx1' };

  it('is everything for whoever sees everything', () => {
    expect(countedGroups('all', visit)).toEqual([{ group: visit, sign: 1 }]);
  });

  it('is each of their proposals and beamlines, and what is of both counts once', () => {
    expect(countedGroups([visit, { proposal: 'mx2' }, { beamline: 'i04' }], { submitter: 'ada' })).toEqual([
      { group: { submitter: 'ada', proposal: 'mx1' }, sign: 1 },
      { group: { submitter: 'ada', proposal: 'mx2' }, sign: 1 },
      { group: { submitter: 'ada', beamline: 'i04' }, sign: 1 },
      { group: { submitter: 'ada', proposal: 'mx1', beamline: 'i04' }, sign: -1 },
      { group: { submitter: 'ada', proposal: 'mx2', beamline: 'i04' }, sign: -1 },
    ]);
  });

  it('is nothing of a proposal that is not theirs, but what was measured at their beamline', () => {
    expect(countedGroups([visit], { proposal: 'mx9' })).toEqual([]);
    expect(countedGroups([visit, { beamline: 'i04' }], { proposal: 'mx9' })).toEqual([
      { group: { proposal: 'mx9', beamline: 'i04' }, sign: 1 },
    ]);
  });

  it('is what they have at a beamline that is asked for, once', () => {
    const counted = countedGroups([visit, { beamline: 'i04' }], { beamline: 'i04' });
    const sum = (of: object): number =>
      counted.filter(({ group }) => JSON.stringify(group) === JSON.stringify(of)).reduce((n, { sign }) => n + sign, 0);
    expect([sum({ beamline: 'i04', proposal: 'mx1' }), sum({ beamline: 'i04' })]).toEqual([0, 1]);
  });
});
