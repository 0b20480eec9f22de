import type { CycleRecord, SessionFile } from '@fleet/contracts/sessions';
import { aCycle, aDecision, aRequest, aResult, walkBench, dataFile, unflaggedFile } from '@fleet/testing';
import { lockedFreeFlagData } from './index';

const data = (path: string, cycle: number, freeFlag?: string): SessionFile => ({
  ...(freeFlag === undefined ? unflaggedFile({}, path) : dataFile({ freeFlag }, path)),
  cycle,
});

const refine = (
  cycle: number,
  outputs: readonly SessionFile[],
  outcome: 'success' | 'failed' = 'success',
): CycleRecord => aCycle({ cycle, decision: aDecision(), result: aResult({ outcome, outputs }) });

const bench = walkBench({ installed: 'all' });

const lock = (inputs: readonly SessionFile[], cycles: readonly CycleRecord[] = []): string | undefined =>
  lockedFreeFlagData({ request: aRequest({ inputs }), cycles }, bench.ruleBook.programs)?.path;

const flagged = data('/in/flagged.mtz', 0, 'FREE');
const bare = data('/in/bare.mtz', 0);
const first = data('/c2/refine_001_data.mtz', 2, 'R-free-flags');
const second = data('/c3/refine_002_data.mtz', 3, 'R-free-flags');

describe('the R-free lock', () => {
  it('is undefined until a file has free flags', () => {
    expect(lock([bare])).toBeUndefined();
  });

  it('is the first submitted file with observations and flags', () => {
    expect(lock([bare, flagged, data('/in/other.mtz', 0, 'FREE')])).toBe('/in/flagged.mtz');
  });

  it('is the data of the first successful refinement, permanently', () => {
    expect(lock([bare], [refine(2, [first]), refine(3, [second])])).toBe('/c2/refine_001_data.mtz');
  });

  it('ignores a failed refinement', () => {
    expect(lock([bare], [refine(2, [first], 'failed'), refine(3, [second])])).toBe('/c3/refine_002_data.mtz');
  });

  it('stays with the submitted file if the refinement wrote no data', () => {
    expect(lock([flagged], [refine(2, []), refine(3, [second])])).toBe('/in/flagged.mtz');
  });
});
