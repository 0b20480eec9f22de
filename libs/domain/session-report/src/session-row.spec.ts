import type { Session } from '@fleet/contracts/sessions';
import { aCycle, aDecision, aFile, anAttempt, aRequest, aResult, aSession, dataFile, modelFile } from '@fleet/testing';
import { headOf, rowOf } from './session-row';

const data = aFile({ facts: { ...dataFile().facts, spaceGroup: 'P 41 21 2' } });
const model = (spaceGroup: string, predicted = false) =>
  aFile({ cycle: 2, facts: { ...modelFile('', { predicted }).facts, spaceGroup } });
const request = aRequest({ inputs: [data] });
const ligand = { inModel: true, code: 'NUT', cc: 0.861, atoms: 40, atomsInDensity: 38, omitCc: 0.912 } as const;
const fit = { metric: 'r_free', value: 0.231, resolution: 1.75, rWork: 0.2, trend: 'better' } as const;

describe('the row of a session', () => {
  it('describes the submission before its first cycle', () => {
    const session = aSession({ request });
    const { title, proposal, beamline, submitter } = request;
    const maxCycles = request.settings.max_cycles;
    const labels = { title, proposal, beamline, submitter };
    const row = { ...headOf(session), ...labels, maxCycles, resolution: 1.8, spaceGroup: 'P 41 21 2' };
    expect(rowOf(session)).toEqual(row);
  });

  it('contains the origin of a fork, but not its requester', () => {
    const from = { session: '01jd7v9s6m2x4k8q0w5c3b1n7r', afterCycle: 3 };
    const fork = aSession({ request: { ...request, forkedFrom: { ...from, requestDigest: 'a'.repeat(64) } } });
    expect(rowOf(fork).forkedFrom).toEqual(from);
  });

  it('contains the last program, the fit, the evidence for its ligand and the space group', () => {
    const analysed = aCycle({ cycle: 2, result: { ...aResult({ outputs: [model('P 43 21 2')] }), fit, ligand } });
    const next = { cycle: 3, decision: aDecision({ program: 'phenix.molprobity' }), attempts: [] };
    expect(rowOf(aSession({ request, cycles: [analysed, next] }))).toMatchObject({
      program: 'phenix.molprobity',
      resolution: 1.75,
      spaceGroup: 'P 43 21 2',
      fit,
      ligand,
    });
  });

  it.each<[string, string | undefined, Partial<Session>]>([
    [
      'that the analysis found',
      'P 43 21 2',
      { cycles: [aCycle({ result: aResult({ metrics: { space_group: 'P 43 21 2' } }) })] },
    ],
    [
      'in one notation, whatever that of its source',
      'P 43 21 2',
      { cycles: [aCycle({ result: aResult({ outputs: [model('P43212')] }) })] },
    ],
    [
      'of the data, not of a prediction',
      'P 41 21 2',
      { cycles: [aCycle({ result: aResult({ outputs: [model('P 1', true)] }) })] },
    ],
    [
      'of the data after a failed cycle',
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

  it('contains what its program waits for, while it waits', () => {
    const { attempt, backend, provider, programVersion } = anAttempt();
    const at = '2026-11-21T08:00:00.000Z';
    const reason = 'x'.repeat(500);
    const waiting = {
      attempt,
      backend,
      provider,
      programVersion,
      queuedOnBackend: false,
      since: at,
      reportedAt: at,
      reason,
    };
    const session = aSession({
      stage: 'executing',
      cycles: [{ cycle: 1, decision: aDecision(), attempts: [], waiting }],
    });
    expect(rowOf(session).waiting).toMatch(/^x{159}…$/);
    expect(rowOf({ ...session, status: 'cancelling' })).not.toHaveProperty('waiting');
  });

  it('contains what its decision waits for, while it waits', () => {
    const waiting = { since: '2026-11-21T08:00:00.123Z', reason: 'site: it is down' };
    const session = aSession({ waiting });
    expect(rowOf(session).waiting).toBe('for a language model since 2026-11-21T08:00:00Z: site: it is down');
    for (const moved of [{ stage: 'executing' }, { status: 'cancelling' }, { status: 'failed' }] as const)
      expect(rowOf({ ...session, ...moved })).not.toHaveProperty('waiting');
  });

  it('contains the fit of successful cycles, from the second one on', () => {
    const refined = (cycle: number, r_free: number, outcome: 'success' | 'failed' = 'success') =>
      aCycle({ cycle, result: { ...aResult({ outcome, metrics: { r_free } }), fit } });
    const analysed = aCycle({ cycle: 3, result: { ...aResult({ metrics: {} }), fit } });
    const cycles = [refined(1, 0.312_34), refined(2, 0.9, 'failed'), analysed, refined(4, 0.231)];
    expect(rowOf(aSession({ request, cycles })).fits).toEqual([0.3123, 0.231]);
    expect(rowOf(aSession({ request, cycles: cycles.slice(0, 2) }))).not.toHaveProperty('fits');
    const many = Array.from({ length: 100 }, (_, at) => refined(at + 1, 0.5 - at / 1000));
    expect(rowOf(aSession({ request, cycles: many })).fits).toHaveLength(12);
  });

  it('contains why and when it ended', () => {
    const stop = { reason: 'plateau', detail: `enough ${'x'.repeat(500)}`, afterCycle: 1 } as const;
    const ended = aSession({ status: 'completed', stop });
    expect(rowOf(ended)).toMatchObject({ stopReason: 'plateau', endedAt: ended.updatedAt });
    expect(rowOf(ended).stopDetail).toMatch(/^enough x{152}…$/);
  });

  it('is at most 1 kB, also with a title of maximum length', () => {
    const long = { ...request, title: 't'.repeat(200), submitter: 's'.repeat(40), proposal: 'p'.repeat(20) };
    const cycles = [aCycle({ result: { ...aResult({ outputs: [model('P 43 21 2')] }), fit, ligand } })];
    const stop = { reason: 'refinement_limit', detail: 'enough', afterCycle: 1 } as const;
    const row = rowOf(aSession({ request: long, cycles, status: 'unsatisfactory', stop }));
    expect(JSON.stringify(row).length).toBeLessThanOrEqual(1024);
  });
});
