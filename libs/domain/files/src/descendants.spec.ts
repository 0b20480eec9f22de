import { aCycle, aDecision, aFile, aResult, dataFile, modelFile } from '@fleet/testing';
import { descendants, isModel, isObservation } from './descendants';
import type { SucceededCycle } from './session-files';

const run = (cycle: number, from: readonly string[], made: readonly string[]): SucceededCycle => {
  const result = aResult({
    outputs: made.map((path) => (path.endsWith('.mtz') ? dataFile({}, path) : modelFile(path))),
  });
  const inputs = from.map((path) => ({ slot: path.endsWith('.mtz') ? 'data' : 'model', path }));
  return { ...aCycle({ cycle, decision: aDecision({ inputs }) }), result };
};

const cycles = [
  run(1, ['/s.pdb'], ['/a.pdb']),
  run(2, ['/a.pdb'], ['/b.pdb', '/b.mtz']),
  run(3, ['/s.pdb'], ['/c.pdb']),
  run(4, ['/c.pdb', '/b.mtz'], ['/d.pdb']),
  run(5, ['/c.pdb', '/b.pdb'], []),
  run(6, ['/never.pdb'], []),
];

describe('the descendants of a model', () => {
  it('are the cycle that made it, and those that worked with its descendants', () => {
    expect([...descendants(new Set([1]), cycles)]).toEqual([1, 2, 5]);
    expect([...descendants(new Set([3]), cycles)]).toEqual([3, 4, 5]);
  });

  it('are empty if no cycle made it', () => {
    expect([...descendants(new Set(), cycles)]).toEqual([]);
    expect([...descendants(new Set([9]), cycles)]).toEqual([]);
  });

  it('exclude cycles that share only data: a free set stays valid whatever happens to the model', () => {
    expect(descendants(new Set([2]), cycles).has(4)).toBe(false);
  });
});

describe('a file', () => {
  it('is a model by its format', () => {
    const mmcif = aFile({ path: '/m.cif', facts: { format: 'mmcif-model' } });
    expect([modelFile(), mmcif, dataFile()].map(isModel)).toEqual([true, true, false]);
  });

  it('is an observation if it contains measurements', () => {
    expect([dataFile(), dataFile({ observations: [] }), modelFile()].map(isObservation)).toEqual([true, false, false]);
  });
});
