import type { FileFacts, SessionFile, UnitCell } from '@fleet/contracts/sessions';
import { unflaggedFile } from '@fleet/testing';
import { freeColumns, freeSetFor, lockedFreeFlagData } from './index';

const cell: UnitCell = [34.15, 54.81, 68, 90, 90, 90];
type Mtz = NonNullable<FileFacts['mtz']>;

const file = (path: string, mtz: Partial<Mtz>, crystal: Partial<FileFacts> = {}): SessionFile => {
  const one = unflaggedFile({}, path);
  return { ...one, facts: { ...one.facts, cell, ...crystal, mtz: { ...one.facts.mtz!, ...mtz } } };
};
const data = file('/data/data.mtz', {});
const flags = (crystal: Partial<FileFacts> = {}): SessionFile =>
  file('/data/freeR.mtz', { observations: [], freeFlag: 'FREER' }, crystal);

describe('flags in a separate file', () => {
  it.each<[string, Partial<FileFacts>]>([
    ['the same crystal', {}],
    ['a cell within 1 % and 1°', { cell: [34.4, 54.5, 68.3, 90.5, 90, 89.8] }],
    ['another screw axis', { spaceGroup: 'P 2 2 21' }],
    ['another notation', { spaceGroup: 'P212121' }],
  ])('belong to data without flags: %s', (_what, crystal) => {
    expect(freeSetFor(data, [data, flags(crystal)])?.path).toBe('/data/freeR.mtz');
  });

  it.each<[string, Partial<FileFacts>]>([
    ['another cell', { cell: [36, 54.81, 68, 90, 90, 90] }],
    ['another angle', { cell: [34.15, 54.81, 68, 90, 92, 90] }],
    ['another point group', { spaceGroup: 'P 4 21 2' }],
    ['another lattice', { spaceGroup: 'C 2 2 21' }],
  ])('do not belong to data of %s', (_what, crystal) => {
    expect(freeSetFor(data, [data, flags(crystal)])).toBeUndefined();
  });

  it('are not needed by data that have flags, are uninspected, or are unmerged', () => {
    const unread = { ...data, facts: { ...data.facts, assumed: true as const } };
    for (const one of [file('/a.mtz', { freeFlag: 'FREE' }), unread, file('/b.mtz', { unmerged: true })])
      expect(freeSetFor(one, [one, flags()])).toBeUndefined();
  });

  it('lock these data, before flags that a later program generates', () => {
    const drawn = { ...file('/c2/overall_best.mtz', { freeFlag: 'FreeR_flag' }), cycle: 2 };
    const session = {
      request: { inputs: [flags(), data] },
      cycles: [{ result: { outcome: 'success', outputs: [drawn] }, decision: { program: 'phenix.autobuild' } }],
    };
    expect(lockedFreeFlagData(session as never, {})).toBe(data);
  });
});

it.each<[readonly string[], readonly string[]]>([
  [
    ['R-free-flags', 'FreeR_flag'],
    ['FreeR_flag', 'R-free-flags'],
  ],
  [
    ['FREE', 'R-free-flags'],
    ['R-free-flags', 'FREE'],
  ],
  [
    ['RFREE', 'TEST'],
    ['RFREE', 'TEST'],
  ],
  [
    ['freer_flag', 'FreeRflag'],
    ['freer_flag', 'FreeRflag'],
  ],
  [['FREE'], ['FREE']],
  [[], []],
])('of the columns %j the first of %j counts', ([freeFlag, ...otherFreeFlags], expected) => {
  const mtz = file('/x.mtz', { ...(freeFlag === undefined ? {} : { freeFlag }), otherFreeFlags }).facts.mtz!;
  expect(freeColumns(mtz)).toEqual(expected);
});
