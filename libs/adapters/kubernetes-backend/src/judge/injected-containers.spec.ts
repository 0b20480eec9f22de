import type { EndingKind } from '@fleet/contracts/sessions';
import { lookedAt, rawStatus, secondsAgo } from '@fleet/testing';
import { judgeRun } from './judge-run';
import { sightOf, type ClusterSetUp } from './cluster-sight.fake';
import type { ClusterRunState } from './cluster-run-state';

/** A pod with containers that the cluster injected. */
const beside = (containerStatuses: readonly object[], initContainerStatuses: readonly object[] = []): object => ({
  phase: 'Failed',
  containerStatuses,
  initContainerStatuses,
});

const endings: readonly (readonly [what: string, told: ClusterSetUp, kind: EndingKind, words: RegExp])[] = [
  [
    'could not start for a container that the cluster has put before it',
    {
      conditions: [rawStatus.failed()],
      pods: [
        {
          status: {
            phase: 'Failed',
            initContainerStatuses: [{ name: 'mesh-init', state: { terminated: { exitCode: 2, message: 'iptables' } } }],
            containerStatuses: [{ name: 'program', state: { waiting: { reason: 'PodInitializing' } } }],
          },
        },
      ],
    },
    'not_started',
    /mesh-init.* failed\. iptables/,
  ],
  [
    'was killed, beside a container of the cluster that ended well',
    {
      conditions: [rawStatus.failed()],
      pods: [
        {
          status: beside([
            { name: 'mesh-proxy', state: { terminated: { exitCode: 0 } } },
            { name: 'program', state: { terminated: { exitCode: 137 } } },
          ]),
        },
      ],
    },
    'signalled',
    /SIGKILL/,
  ],
  [
    'used more memory than its pod may, beside a container that was ended with it',
    {
      conditions: [rawStatus.failed()],
      pods: [
        {
          status: beside(
            [{ name: 'program', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }],
            [{ name: 'mesh-proxy', state: { terminated: { exitCode: 143 } } }],
          ),
        },
      ],
    },
    'memory_limit',
    /more memory/,
  ],
  [
    'failed a minute ago, while a container beside it runs on',
    {
      pods: [
        {
          status: {
            ...beside([
              { name: 'mesh-proxy', state: { running: { startedAt: secondsAgo(80) } } },
              { name: 'program', state: { terminated: { exitCode: 1, finishedAt: secondsAgo(61) } } },
            ]),
            phase: 'Running',
          },
        },
      ],
    },
    'lost',
    /exit code 1/,
  ],
  [
    'waits for its image past the limit, behind a container that only waits for its turn',
    {
      pods: [
        {
          status: {
            ...rawStatus.waiting('ImagePullBackOff', 'manifest unknown', 301),
            containerStatuses: [
              { name: 'mesh-proxy', state: { waiting: { reason: 'PodInitializing' } } },
              { name: 'program', state: { waiting: { reason: 'ImagePullBackOff', message: 'manifest unknown' } } },
            ],
          },
        },
      ],
    },
    'image_unavailable',
    /manifest unknown/,
  ],
];

describe('a pod with injected containers', () => {
  it.each(endings)('with a program that %s', (_what, told, kind, words) => {
    expect(judgeRun(sightOf(told))).toMatchObject({
      state: 'ended',
      outcome: { kind, message: expect.stringMatching(words) as string },
    });
  });

  it('runs while the program does', () => {
    const status = (state: object): object => ({
      phase: 'Pending',
      containerStatuses: [
        { name: 'mesh-proxy', state: { running: { startedAt: secondsAgo(80) } } },
        { name: 'program', state },
      ],
    });
    const sight = (state: object): ClusterRunState => judgeRun(sightOf({ pods: [{ status: status(state) }] }));
    expect(sight({ waiting: { reason: 'ContainerCreating' } })).toMatchObject({ state: 'waiting' });
    expect(sight({ running: { startedAt: secondsAgo(30) } })).toEqual({
      state: 'running',
      startedAt: lookedAt - 30_000,
    });
  });
});
