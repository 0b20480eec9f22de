import type { Finding } from '@fleet/contracts/administration';
import { allWell, finding } from '@fleet/ports';
import type { Right, SiteApi } from './site-api';

interface Need {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly why: string;
}

/** Every permission that the backend uses, and why; the chart's Role grants exactly these. */
const neededRights: readonly Need[] = [
  {
    group: 'batch',
    resource: 'jobs',
    verbs: ['get', 'list', 'watch', 'create', 'delete'],
    why: 'Programs are started, seen and cancelled as Jobs.',
  },
  {
    group: '',
    resource: 'pods',
    verbs: ['list', 'watch'],
    why: 'The pod shows how a program without a result ended.',
  },
  { group: '', resource: 'pods/log', verbs: ['get'], why: 'The log of a pod shows why it has no result.' },
  {
    group: '',
    resource: 'events',
    verbs: ['list'],
    why: 'Only events show why a Job gets no pod (a quota, Pod Security).',
  },
];

/** Permissions that no executor needs, and that an attacker could abuse. */
const dangerous = (namespace: string): readonly (Right & { readonly what: string })[] => [
  { verb: '*', group: '*', resource: '*', namespace: '', what: 'do everything in the cluster (cluster-admin)' },
  { verb: '*', group: '*', resource: '*', namespace, what: `do everything in ${namespace}` },
  { verb: 'get', group: '', resource: 'secrets', namespace, what: `read Secrets in ${namespace}` },
  { verb: 'create', group: '', resource: 'pods', namespace, what: `create pods of any kind in ${namespace}` },
  { verb: 'create', group: '', resource: 'pods/exec', namespace, what: `run commands in pods of ${namespace}` },
];

/** Whether the account has exactly the permissions of the backend. */
export const rightsFindings = async (api: Pick<SiteApi, 'may' | 'namespace'>): Promise<readonly Finding[]> => {
  const { namespace } = api;
  const needed = neededRights.flatMap(({ verbs, ...need }) => verbs.map((verb) => ({ ...need, verb, namespace })));
  const missing = [];
  for (const right of needed) if (!(await api.may(right))) missing.push(right);
  const beyond = [];
  for (const right of dangerous(namespace)) if (await api.may(right)) beyond.push(right.what);
  const remedyOf = (verb: string, resource: string): string =>
    `Give it the Role of the chart (templates/access/executor-role.yaml); try it: kubectl auth can-i ${verb} ${resource} -n ${namespace} --as=system:serviceaccount:NAMESPACE:NAME.`;
  return [
    ...missing.map(({ verb, resource, why }) => {
      const seen = `The executor's account may not ${verb} ${resource} in ${namespace}.`;
      return finding('cluster.rights', 'error', seen, { why, remedy: remedyOf(verb, resource) });
    }),
    ...(missing.length > 0
      ? []
      : [allWell('cluster.rights', `The executor's account has the required permissions in ${namespace}.`)]),
    finding(
      'cluster.rights_beyond',
      beyond.length > 0 ? 'warning' : 'ok',
      beyond.length > 0
        ? `The executor's account may also ${beyond.join(', ')}.`
        : "The executor's account has no excessive permissions.",
      {
        why: 'An attacker who takes over an executor gets the rights of its account.',
        remedy: "Give the executor its own account with only the chart's Role, and no kubeconfig of an administrator.",
      },
    ),
  ];
};
