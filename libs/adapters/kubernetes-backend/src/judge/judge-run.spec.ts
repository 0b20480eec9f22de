import fc from 'fast-check';
import { lookedAt, rawStatus, secondsAgo } from '@fleet/testing';
import { seenJob, seenPod } from '../watch/seen-objects';
import { judgeRun } from './judge-run';
import { limits, sightOf } from './cluster-sight.fake';
import type { ClusterRunState } from './cluster-run-state';

describe('judging a run by its Job and pods', () => {
  it.each([
    [
      'says that the pod is not made yet',
      { metadata: { creationTimestamp: secondsAgo(1) }, spec: {} },
      /cluster does not create a pod|about to be created/,
    ],
    ['says that Kueue keeps it', { spec: { suspend: true } }, /it is queued/],
    [
      'quotes the scheduler',
      { pods: [{ node: '', status: rawStatus.unscheduled('0/4 nodes are available') }] },
      /0\/4 nodes/,
    ],
    [
      'says that the image comes',
      { pods: [{ status: rawStatus.waiting('ContainerCreating', '') }] },
      /prepared on node-7/,
    ],
    [
      'says why the image does not come',
      { pods: [{ status: rawStatus.waiting('ErrImagePull', 'no route') }] },
      /no route/,
    ],
    [
      'waits for a GPU as long as it takes',
      { gpu: true, pods: [{ node: '', status: rawStatus.unscheduled('gpu') }] },
      /gpu/,
    ],
    [
      'expects another pod for one taken away',
      { pods: [{ status: rawStatus.disrupted('EvictionByEvictionAPI') }] },
      /another one is being created/,
    ],
  ] as const)('while waiting, %s', (_what, told, words) => {
    const runState = judgeRun(sightOf(told));
    expect(runState).toMatchObject({ state: 'waiting' });
    expect((runState as Extract<ClusterRunState, { state: 'waiting' }>).reason).toMatch(words);
  });

  it('reports a running program while its Job is being deleted', () => {
    const runState = judgeRun(
      sightOf({ metadata: { deletionTimestamp: secondsAgo(1) }, pods: [{ status: rawStatus.running }] }),
    );
    expect(runState).toEqual({ state: 'running', startedAt: lookedAt - 30_000 });
  });

  it('does not treat an interim condition as an end', () => {
    const conditions = [
      { type: 'FailureTarget', status: 'True' },
      { type: 'Failed', status: 'False' },
    ];
    expect(judgeRun(sightOf({ conditions, pods: [{ status: rawStatus.running }] }))).toMatchObject({
      state: 'running',
    });
  });

  it('accepts any content of a status', () => {
    const anything = fc.object({
      key: fc.constantFrom(
        ...['conditions', 'phase', 'reason', 'containerStatuses', 'state', 'terminated', 'waiting', 'running', 'type'],
        ...['status', 'exitCode', 'message', 'initContainerStatuses', 'startTime', 'lastTransitionTime'],
      ),
      values: [
        fc.constantFrom('True', 'Failed', 'Pending', 'Complete', 'OOMKilled', ''),
        fc.integer(),
        fc.constant(null),
      ],
      withNullPrototype: false,
    });
    fc.assert(
      fc.property(anything, anything, (jobStatus, podStatus) => {
        const job = seenJob({ metadata: { name: 'phx-x' }, status: jobStatus })!;
        const pod = seenPod({ metadata: { name: 'pod' }, status: podStatus })!;
        const { state } = judgeRun({ job, pods: [pod], now: lookedAt, limits });
        expect(['waiting', 'running', 'ended']).toContain(state);
      }),
    );
  });
});
