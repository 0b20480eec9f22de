import type { CycleRecord, SessionView } from '@fleet/contracts/sessions';
import { aCycle, aDecision, aFile, aRequest, aResult, someSettings } from '@fleet/testing';
import { readCompareSearch } from './compare-search';
import { comparedCommand, comparedFacts, cyclePairs } from './compared';

const cycleOf = (cycle: number, argv: readonly string[]): CycleRecord =>
  aCycle({ cycle, decision: aDecision({ program: 'phenix.refine', argv }), result: aResult({}) });

const session = (folder: string, cycles: readonly CycleRecord[], maxCycles = 20): SessionView =>
  ({
    id: folder.slice(1),
    folder,
    cycles,
    status: 'running',
    createdAt: '2026-11-23T10:00:00.000Z',
    updatedAt: '2026-11-23T10:00:00.000Z',
    request: aRequest({
      inputs: [aFile({ path: `${folder}-data/data.mtz` })],
      settings: someSettings({ max_cycles: maxCycles }),
    }),
  }) as unknown as SessionView;

const left = session('/w/one', [cycleOf(1, ['phenix.refine', '/w/one/c001/a1/m.pdb', 'twin_law=h,-k,-l'])]);
const right = session(
  '/w/two',
  [cycleOf(1, ['phenix.refine', '/w/two/c001/a1/m.pdb']), cycleOf(2, ['phenix.refine'])],
  5,
);

describe('two sessions side by side', () => {
  it('lists the settings that differ, and marks the differences', () => {
    const rows = comparedFacts([left, right], {}, Date.parse('2026-11-23T10:01:00.000Z'));
    expect(rows.filter(({ differs }) => differs)).toEqual([
      { name: 'Setting max_cycles', values: ['20', '5'], differs: true },
    ]);
    expect(rows.find(({ name }) => name === 'Cycles')?.values).toEqual(['1', '2']);
    expect(rows.find(({ name }) => name === 'Submitted files')?.values).toEqual(['data.mtz', 'data.mtz']);
  });

  it('marks the words of a command that the other one lacks; differences of folders are ignored', () => {
    const [{ cycles: [one, other] } = { cycles: [] }] = cyclePairs([left, right]);
    const words = comparedCommand(left, one!, { session: right, cycle: other! });
    expect(words.filter(({ differs }) => differs).map(({ text }) => text)).toEqual(['twin_law=h,-k,-l']);
    expect(comparedCommand(right, other!, { session: left, cycle: one! }).some(({ differs }) => differs)).toBe(false);
    expect(comparedCommand(left, one!, undefined).some(({ differs }) => differs)).toBe(false);
  });

  it('contains each cycle of either', () => {
    expect(cyclePairs([left, right]).map(({ cycles }) => cycles.map((cycle) => cycle?.cycle))).toEqual([
      [1, 1],
      [undefined, 2],
    ]);
  });

  it('reads only ids from the URL', () => {
    const id = 'a'.repeat(26);
    expect(readCompareSearch({ left: id, right: '<script>' })).toEqual({ left: id });
  });
});
