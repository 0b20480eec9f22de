import type { EndingKind } from '@fleet/contracts/sessions';
import { rawStatus, secondsAgo } from '@fleet/testing';
import { judgeRun } from './judge-run';
import { limits, sightOf, type ClusterSetUp } from './cluster-sight.fake';
import type { ClusterRunState } from './cluster-run-state';

type Row = readonly [what: string, told: ClusterSetUp, kind: EndingKind, words: RegExp, next: RegExp | undefined];
const endings: readonly Row[] = [
  [
    'used more memory than its pod may',
    {
      conditions: [rawStatus.failed()],
      pods: [{ status: rawStatus.terminated({ exitCode: 137, reason: 'OOMKilled' }) }],
    },
    'memory_limit',
    /more memory/,
    undefined,
  ],
  [
    'was evicted by a full node',
    {
      conditions: [rawStatus.failed()],
      pods: [{ status: { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' } }],
    },
    'disrupted',
    /low on resource: memory\.$/,
    /started again elsewhere/,
  ],
  [
    'was drained off its node',
    { conditions: [rawStatus.complete], pods: [{ status: rawStatus.disrupted('EvictionByEvictionAPI') }] },
    'disrupted',
    /being drained/,
    /elsewhere/,
  ],
  [
    'was pre-empted',
    { conditions: [rawStatus.complete], pods: [{ status: rawStatus.disrupted('PreemptionByScheduler') }] },
    'disrupted',
    /higher priority/,
    /elsewhere/,
  ],
  [
    'was on a node that shut down',
    {
      conditions: [rawStatus.complete],
      pods: [{ status: rawStatus.disrupted('TerminationByKubelet', 'Node is shutting down') }],
    },
    'disrupted',
    /Node is shutting down/,
    /elsewhere/,
  ],
  [
    'was on a node that was tainted as unreachable',
    { conditions: [rawStatus.complete], pods: [{ status: rawStatus.disrupted('DeletionByTaintManager') }] },
    'node_lost',
    /does not respond/,
    /elsewhere/,
  ],
  [
    'was on a node that is gone',
    { conditions: [rawStatus.complete], pods: [{ status: rawStatus.disrupted('DeletionByPodGC') }] },
    'node_lost',
    /left the cluster/,
    /elsewhere/,
  ],
  [
    'does not end on a node that is silent',
    { pods: [{ metadata: { deletionTimestamp: secondsAgo(31) }, status: rawStatus.running }] },
    'node_lost',
    /node-7 does not answer/,
    /elsewhere/,
  ],
  [
    'ran past the deadline of its pod',
    {
      conditions: [rawStatus.failed()],
      pods: [{ status: { ...rawStatus.terminated({ exitCode: 137 }), reason: 'DeadlineExceeded' } }],
    },
    'wall_clock_limit',
    /longer than the deadline/,
    /longer limit/,
  ],
  [
    'ran past the deadline of its Job',
    { conditions: [rawStatus.failed('DeadlineExceeded')], pods: [{ status: rawStatus.terminated({ exitCode: 143 }) }] },
    'wall_clock_limit',
    /longer than the deadline/,
    /longer limit/,
  ],
  [
    'was in line past the deadline of its Job',
    { conditions: [rawStatus.failed('DeadlineExceeded')] },
    'unschedulable',
    /No node/,
    /administrator/,
  ],
  [
    'waited for an image past the limit',
    { pods: [{ status: rawStatus.waiting('ImagePullBackOff', 'manifest unknown', 301) }] },
    'image_unavailable',
    /cannot be pulled: manifest unknown\.$/,
    /registry/,
  ],
  [
    'has an image whose name is none',
    { pods: [{ status: rawStatus.waiting('InvalidImageName', 'invalid reference format', 1) }] },
    'image_unavailable',
    /invalid reference format/,
    /administrator/,
  ],
  [
    'fits no node past the limit',
    { pods: [{ node: '', status: rawStatus.unscheduled('0/4 nodes are available: insufficient memory') }], spec: {} },
    'unschedulable',
    /insufficient memory/,
    /suitable nodes/,
  ],
  [
    'waited for a GPU in vain, and can do without',
    {
      gpu: true,
      mayFallBack: true,
      pods: [{ node: '', status: rawStatus.unscheduled('insufficient nvidia.com/gpu') }],
    },
    'gpu_unavailable',
    /waited 18000 s for a GPU/,
    /on a CPU instead/,
  ],
  [
    'waited in the queue for a GPU in vain, and can do without',
    { gpu: true, mayFallBack: true, spec: { suspend: true } },
    'gpu_unavailable',
    /for a GPU/,
    /on a CPU instead/,
  ],
  [
    'has an image without the runner',
    {
      conditions: [rawStatus.failed()],
      pods: [
        {
          status: rawStatus.terminated({
            exitCode: 128,
            reason: 'StartError',
            message: 'exec: "/opt/phenix-fleet/node": stat /opt/phenix-fleet/node: no such file or directory',
          }),
        },
      ],
    },
    'not_started',
    /no such file/,
    /runner: copied/,
  ],
  [
    'has an image for another processor',
    {
      conditions: [rawStatus.failed()],
      pods: [
        { status: rawStatus.terminated({ exitCode: 255, message: 'exec /opt/phenix-fleet/node: exec format error' }) },
      ],
    },
    'not_started',
    /exec format error/,
    /processor/,
  ],
  [
    'names a Secret that is not there',
    { pods: [{ status: rawStatus.waiting('CreateContainerConfigError', 'secret "x" not found', 121) }] },
    'not_started',
    /secret "x" not found/,
    /administrator/,
  ],
  [
    'could not get its runner copied',
    {
      conditions: [rawStatus.failed()],
      pods: [
        {
          status: {
            phase: 'Failed',
            initContainerStatuses: [
              { name: 'runner', state: { terminated: { exitCode: 1, message: 'cp: no space' } } },
            ],
            containerStatuses: [{ name: 'program', state: { waiting: { reason: 'PodInitializing' } } }],
          },
        },
      ],
    },
    'not_started',
    /cp: no space/,
    /administrator/,
  ],
  [
    'lost its supervisor to an error',
    { conditions: [rawStatus.failed()], pods: [{ status: rawStatus.terminated({ exitCode: 1 }) }] },
    'lost',
    /exit code 1/,
    /started again/,
  ],
  [
    'was killed with its supervisor',
    { conditions: [rawStatus.failed()], pods: [{ status: rawStatus.terminated({ exitCode: 137 }) }] },
    'signalled',
    /SIGKILL/,
    /started again/,
  ],
  [
    'wrote its result where nobody sees it',
    {
      conditions: [rawStatus.complete],
      pods: [{ status: { ...rawStatus.terminated({ exitCode: 0 }), phase: 'Succeeded' } }],
    },
    'lost',
    /its result is missing/,
    /same work volume/,
  ],
  [
    'was taken by a pod that is gone',
    { conditions: [rawStatus.failed('PodFailurePolicy')], pods: [{ status: rawStatus.terminated({ exitCode: 85 }) }] },
    'lost',
    /another pod/,
    /started again/,
  ],
  [
    'was disrupted, and its replacement found it taken',
    {
      conditions: [rawStatus.failed('PodFailurePolicy')],
      pods: [
        { status: rawStatus.disrupted('PreemptionByScheduler') },
        { status: rawStatus.terminated({ exitCode: 85 }) },
      ],
    },
    'disrupted',
    /higher priority/,
    /elsewhere/,
  ],
  [
    'had its pod deleted',
    { conditions: [rawStatus.failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit')] },
    'lost',
    /its pod is gone/,
    /started again/,
  ],
  [
    'had its Job deleted by hand',
    { metadata: { deletionTimestamp: secondsAgo(3) }, pods: [{ status: rawStatus.terminated({ exitCode: 0 }) }] },
    'job_deleted',
    /its Job was deleted/,
    /cancel it/,
  ],
  [
    'ended a minute ago, and the Job controller does not notice',
    { pods: [{ status: rawStatus.terminated({ exitCode: 1, finishedAt: secondsAgo(61) }) }] },
    'lost',
    /exit code 1/,
    /started again/,
  ],
];

const long = { pendingLimitSeconds: 60 };

describe("a run's ending by its Job and pods", () => {
  it.each(endings)('a program that %s', (_what, told, kind, words, next) => {
    const sight = sightOf(told);
    const runState = judgeRun(kind === 'unschedulable' ? { ...sight, limits: { ...limits, ...long } } : sight);
    expect(runState).toMatchObject({ state: 'ended', outcome: { kind } });
    const { outcome } = runState as Extract<ClusterRunState, { state: 'ended' }>;
    expect(outcome.message).toMatch(words);
    expect(outcome.message).toMatch(/^[A-Z"p].*[.!?]$/);
    if (next === undefined) expect(outcome.nextAction).toBeUndefined();
    else expect(outcome.nextAction).toMatch(next);
  });
});
