import type { Finding } from '@fleet/contracts/administration';
import { allWell, finding, levelOf, medianOf } from '@fleet/ports';
import type { KubernetesSettings } from '../settings/kubernetes-settings';
import { nodesFindings } from './nodes';
import { rightsFindings } from './rights';
import { seenNode } from './seen-node';
import type { SiteApi } from './site-api';

/** Number of requests for the median latency. */
const questions = 5;

/** The first version whose Jobs have what the backend needs; the chart requires it too (kubeVersion). */
const oldestGood = [1, 31] as const;

/** Findings about the cluster that only an executor can make. */
export const clusterFindings = async (
  api: SiteApi,
  settings: Pick<KubernetesSettings, 'classes' | 'memoryClassesMiB' | 'identity'>,
): Promise<readonly Finding[]> => [
  accountFinding(settings),
  ...(await serverFindings(api)),
  ...(await rightsFindings(api)),
  ...(await nodeFindings(api, settings)),
];

/** How accounts are assigned to programs. */
const accountFinding = ({ identity }: Pick<KubernetesSettings, 'identity'>): Finding => {
  const { uid } = identity.default;
  if (identity.ofFolder !== '')
    return allWell('cluster.accounts', `Programs run under the account of ${identity.ofFolder}.`);
  const own = Object.keys(identity.proposals).length;
  const others = `share the account ${String(uid)}: they can read and change each other's results`;
  return finding(
    'cluster.accounts',
    'warning',
    own === 0 ? `The programs of all proposals ${others}.` : `All proposals but ${String(own)} ${others}.`,
    {
      why: 'The API separates proposals, but the operating system does not.',
      remedy: 'Set jobs.identity.ofFolder in the chart, or jobs.identity.proposals (docs/access.md).',
    },
  );
};

const serverFindings = async (api: SiteApi): Promise<readonly Finding[]> => {
  const tookMs: number[] = [];
  let version = '';
  for (let count = 0; count < questions; count += 1) {
    const start = performance.now();
    version = await api.version();
    tookMs.push(performance.now() - start);
  }
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  const isGood = Number(major) > oldestGood[0] || (Number(major) === oldestGood[0] && Number(minor) >= oldestGood[1]);
  const latency = medianOf(tookMs);
  return [
    finding('cluster.version', isGood ? 'ok' : 'error', `The version of the API server is ${version || 'unknown'}.`, {
      why: 'podFailurePolicy and podReplacementPolicy of Jobs keep a program from starting twice.',
      remedy: `Use Kubernetes ${oldestGood.join('.')} or later.`,
    }),
    finding(
      'cluster.latency',
      levelOf(latency, { warning: 500, error: 5_000 }),
      `The API server responds in ${latency.toFixed(0)} ms.`,
      {
        why: 'Each launch waits for a few responses.',
        remedy: 'Check the load of the API server and etcd, and the rate limits of this account.',
      },
    ),
  ];
};

const nodeFindings = async (
  api: SiteApi,
  settings: Pick<KubernetesSettings, 'classes' | 'memoryClassesMiB'>,
): Promise<readonly Finding[]> => {
  const mayList = await api.may({ verb: 'list', group: '', resource: 'nodes', namespace: '' });
  if (mayList)
    return nodesFindings(
      (await api.nodes()).flatMap((raw) => seenNode(raw) ?? []),
      settings,
    );
  const seen =
    'Nodes are not checked: the account has no permission to list them, which is not required. A trial (--pods) shows which nodes run programs.';
  return [allWell('cluster.nodes', seen)];
};
