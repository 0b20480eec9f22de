import { anEnding } from '@fleet/testing';
import type { ResultRecord, RunRecord } from './attempt-records';
import { isBelievable, isSealedResult, SupervisorSeal } from './result-seal';
import { SeenClaims } from './seen-claims';

const seal = new SupervisorSeal();
const claim: RunRecord = {
  schemaVersion: 1,
  claimedBy: 'supervisor',
  name: 's1-c001-a1',
  specHash: 'h',
  host: { bootId: 'b', pidNamespace: 'pid:[1]' },
  supervisor: { pid: 10, startTime: 100 },
  startedAt: '2026-01-01T00:00:00.000Z',
  key: seal.key,
};
const ofAnOlderRelease: RunRecord = { ...claim };
Reflect.deleteProperty(ofAnOlderRelease, 'key');
const program = { pid: 11, startTime: 101 };
const unsealed: ResultRecord = { schemaVersion: 1, name: claim.name, startedAt: claim.startedAt, ending: anEnding() };
const sealed = { ...unsealed, seal: seal.ofResult(unsealed) };

describe('a result', () => {
  it('is genuine when sealed with the key of the claim, also after it was written and read', () => {
    expect(isSealedResult(JSON.parse(JSON.stringify(sealed)) as ResultRecord, claim)).toBe(true);
  });

  it.each<[string, ResultRecord]>([
    ['without a seal', unsealed],
    ['with a seal that is none', { ...unsealed, seal: 'none' }],
    ['sealed by another', { ...unsealed, seal: new SupervisorSeal().ofResult(unsealed) }],
    ['with the seal of another ending', { ...sealed, ending: anEnding({ exitCode: 1 }) }],
  ])('%s is not a success', (_case, result) => {
    expect(isBelievable(result, claim)).toBe(false);
  });

  it('without a seal may report a lost run, and counts fully under a claim of an older release', () => {
    expect(isBelievable({ ...unsealed, ending: anEnding({ kind: 'lost' }) }, claim)).toBe(true);
    expect(isBelievable(unsealed, ofAnOlderRelease)).toBe(true);
    expect(isBelievable(unsealed, undefined)).toBe(false);
  });
});

describe('the claim that counts', () => {
  it('is the first that was read, even if it is replaced or removed later', () => {
    const claims = new SeenClaims();
    expect(claims.of('run', undefined)).toBeUndefined();
    expect(claims.of('run', claim)).toEqual(claim);
    expect(claims.of('run', { ...claim, key: new SupervisorSeal().key, program })).toEqual(claim);
    expect(claims.of('run', undefined)).toEqual(claim);
    claims.forget('run');
    expect(claims.of('run', undefined)).toBeUndefined();
  });

  it('adopts the program that its supervisor noted and sealed', () => {
    const claims = new SeenClaims();
    claims.of('run', claim);
    expect(claims.of('run', { ...claim, program, programSeal: 'none' })?.program).toBeUndefined();
    const noted = { ...claim, program, programSeal: seal.ofProgram(claim.name, program) };
    expect(claims.of('run', noted)?.program).toEqual(program);
  });
});
