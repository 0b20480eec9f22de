import type { AttemptEnding } from '@fleet/contracts/sessions';
import { seenJob, seenPod } from '../watch/seen-objects';
import { refineDisruption } from './refine-disruption';

const ending: AttemptEnding = {
  kind: 'disrupted',
  infrastructure: true,
  message: 'phenix.refine was ended because its computer or pod is shutting down.',
  endedAt: '2026-11-21T12:00:00.000Z',
  durationMs: 5,
};
const aJob = (changes: object = {}) => seenJob({ metadata: { name: 'phx-x' }, ...changes });
const aPodWith = (status: object) => seenPod({ metadata: { name: 'pod' }, status })!;
const aPod = (reason: string) => aPodWith({ conditions: [{ type: 'DisruptionTarget', status: 'True', reason }] });
const failing = (reason: string) => ({ status: { conditions: [{ type: 'FailureTarget', status: 'True', reason }] } });

describe("the cluster's reason for a disruption", () => {
  it.each([
    ['a Job that is gone', undefined, [], 'job_deleted'],
    [
      'a Job that is being deleted',
      aJob({ metadata: { name: 'x', deletionTimestamp: ending.endedAt } }),
      [],
      'job_deleted',
    ],
    ['a pod on a node that was lost', aJob(), [aPod('DeletionByTaintManager')], 'node_lost'],
    ['an eviction, although the Job is gone too', undefined, [aPod('EvictionByEvictionAPI')], 'disrupted'],
    ['a pod past its deadline', aJob(), [aPodWith({ reason: 'DeadlineExceeded' })], 'wall_clock_limit'],
    ['a Job past its deadline', aJob(failing('DeadlineExceeded')), [], 'wall_clock_limit'],
    ['a Job that failed otherwise', aJob(failing('PodFailurePolicy')), [], 'disrupted'],
    ['nothing', aJob(), [], 'disrupted'],
  ] as const)('with %s', (_what, job, pods, kind) => {
    expect(refineDisruption(ending, 'phenix.refine', job, pods)).toMatchObject({
      kind,
      endedAt: ending.endedAt,
      durationMs: 5,
    });
  });

  it("names Kueue's preemption", () => {
    const refined = refineDisruption(ending, 'phenix.refine', aJob({ spec: { suspend: true } }), []);
    expect(refined.message).toContain('Kueue');
  });

  it('leaves other endings unchanged', () => {
    const exited = { ...ending, kind: 'exited' } as const;
    expect(refineDisruption(exited, 'phenix.refine', undefined, [])).toBe(exited);
  });
});
