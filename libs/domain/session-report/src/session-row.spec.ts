import type { Session } from '@fleet/contracts';
import { aCycle, aDecision, aFile, anAttempt, aRequest, aResult, aSession } from '@fleet/testing';
import { headOf, rowOf } from './session-row';

const data = aFile({
  path: '/data/d.mtz',
  facts: {
    format: 'mtz',
    spaceGroup: 'P 41 21 2',
    mtz: {
      reflections: 1,
      highResolution: 1.8,
      lowResolution: 40,
      columns: [],
      observations: [],
      mapCoefficients: [],
      phases: [],
    },
  },
});
const model = (spaceGroup: string, predicted = false) =>
  aFile({
    path: '/work/m.pdb',
    cycle: 2,
    facts: {
      format: 'pdb',
      spaceGroup,
      model: { atoms: 1, chains: ['A'], polymerResidues: 1, waters: 0, ligandCodes: [], predicted, meanB: 20 },
    },
  });
const request = aRequest({ inputs: [data] });
const fit = { metric: 'r_free', value: 0.231, resolution: 1.75, rWork: 0.2, trend: 'better' } as const;

describe('the row of a session', () => {
  it('says before its first cycle what was submitted', () => {
    const session = aSession({ request });
    const { title, proposal, beamline, submitter } = request;
    const row = { ...headOf(session), title, proposal, beamline, submitter, resolution: 1.8, spaceGroup: 'P 41 21 2' };
    expect(rowOf(session)).toEqual(row);
  });

  it('says which program came last, how well the result fits and in which space group', () => {
    const analysed = aCycle({ cycle: 2, result: { ...aResult({ outputs: [model('P 43 21 2')] }), fit } });
    const next = { cycle: 3, decision: aDecision({ program: 'phenix.molprobity' }), attempts: [] };
    expect(rowOf(aSession({ request, cycles: [analysed, next] }))).toMatchObject({
      program: 'phenix.molprobity',
      resolution: 1.75,
      spaceGroup: 'P 43 21 2',
      fit,
    });
  });

  it.each<[string, string | undefined, Partial<Session>]>([
    [
      'that the analysis found',
      'P 43 21 2',
      { cycles: [aCycle({ result: aResult({ metrics: { space_group: 'P 43 21 2' } }) })] },
    ],
    [
      'of the data where a prediction has one',
      'P 41 21 2',
      { cycles: [aCycle({ result: aResult({ outputs: [model('P 1', true)] }) })] },
    ],
    [
      'of the data where the cycle failed',
      'P 41 21 2',
      { cycles: [aCycle({ result: aResult({ outcome: 'failed', outputs: [model('P 1')] }) })] },
    ],
    [
      'of no map',
      undefined,
      {
        cycles: [
          aCycle({ decision: aDecision({ experimentType: 'cryoem' }), result: aResult({ outputs: [model('P 1')] }) }),
        ],
      },
    ],
  ])('has the space group %s', (_, spaceGroup, changes) => {
    expect(rowOf(aSession({ request, ...changes })).spaceGroup).toBe(spaceGroup);
  });

  it('says what its program waits for, while it does', () => {
    const { attempt, backend, provider, programVersion } = anAttempt();
    const at = '2026-11-21T08:00:00.000Z';
    const because = 'x'.repeat(500);
    const waiting = { attempt, backend, provider, programVersion, inLine: false, since: at, toldAt: at, because };
    const session = aSession({
      stage: 'executing',
      cycles: [{ cycle: 1, decision: aDecision(), attempts: [], waiting }],
    });
    expect(rowOf(session).waiting).toMatch(/^x{159}…$/);
    expect(rowOf({ ...session, status: 'cancelling' })).not.toHaveProperty('waiting');
  });

  it('says why and when it ended', () => {
    const stop = { reason: 'plateau', detail: 'enough', afterCycle: 1 } as const;
    const ended = aSession({ status: 'completed', stop });
    expect(rowOf(ended)).toMatchObject({ stopReason: 'plateau', endedAt: ended.updatedAt });
  });

  it('is at most 1 kB, also with a title as long as one may be', () => {
    const long = { ...request, title: 't'.repeat(200), submitter: 's'.repeat(40), proposal: 'p'.repeat(20) };
    const cycles = [aCycle({ result: { ...aResult({ outputs: [model('P 43 21 2')] }), fit } })];
    const stop = { reason: 'refinement_limit', detail: 'enough', afterCycle: 1 } as const;
    const row = rowOf(aSession({ request: long, cycles, status: 'unsatisfactory', stop }));
    expect(JSON.stringify(row).length).toBeLessThanOrEqual(1024);
  });
});
