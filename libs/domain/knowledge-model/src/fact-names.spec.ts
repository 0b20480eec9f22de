import { metricFact, type FactSheet } from './index';

describe('a fact sheet', () => {
  it('accepts facts of the session, of the families, and metrics by their program', () => {
    const sheet: FactSheet = {};
    sheet.resolution = 1.8;
    sheet['refinement.best'] = 0.25;
    sheet['runs.refine'] = 2;
    sheet['setting.max_cycles'] = 20;
    sheet[metricFact('phenix.phaser', 'space_group')] = 'P 1';
    expect(Object.keys(sheet)).toEqual([
      'resolution',
      'refinement.best',
      'runs.refine',
      'setting.max_cycles',
      'phaser.space_group',
    ]);
  });

  it('does not compile with an unknown fact', () => {
    const sheet: FactSheet = {};
    // @ts-expect-error a misspelt fact of the session
    sheet.resolutoin = 1.8;
    // @ts-expect-error a misspelt fact of its refinements
    sheet['refinement.bset'] = 0.25;
    // @ts-expect-error no such family
    sheet['ruins.refine'] = 2;
    // @ts-expect-error a metric is named by its program, or the knowledge would not be asked who measures it
    sheet['phaser.space_group'] = 'P 1';
    // @ts-expect-error nor is a misspelt fact read
    expect(sheet.at_target).toBeUndefined();
  });
});
