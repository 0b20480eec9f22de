// @needs cluster @needs cluster-tools
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KubeConfig } from '@kubernetes/client-node';
import { AccessReviews, type Access } from './access-reviews';
import { chart, kubectl, objectsOf, render, run, template, valueSets, type Rendered } from './chart-command';
import { lendDefinitions, takeDefinitionsBack } from './definitions';

const kubeconfig = process.env.KUBECONFIG ?? '';
const services = `chart-${randomBytes(3).toString('hex')}`;
const jobs = `${services}-jobs`;

beforeAll(() => {
  if (kubeconfig === '') throw new Error('KUBECONFIG is not set');
  for (const name of [services, jobs]) {
    kubectl(['create', 'namespace', name]);
    // Warnings say what enforcement would refuse, for Deployments too, whose pods would be refused only later.
    const levels = ['enforce', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);
    kubectl(['label', '--overwrite', 'namespace', name, ...levels]);
  }
});

afterAll(() => {
  run('kubectl', ['delete', 'namespace', services, jobs, '--wait=false']);
});

describe('a dry run of every object on the API server', () => {
  const objectsWith = (set: string): readonly Rendered[] => {
    const over = set === 'one-namespace' ? { 'jobs.namespace.name': services } : { 'jobs.namespace.name': jobs };
    // CloudNativePG is not among the definitions that the cluster is built with: its schema alone judges its Cluster (chart.e2e-spec.ts).
    return objectsOf(template(set, over, services).output).filter(({ kind }) => kind !== 'Cluster');
  };
  let definitions: readonly string[] = [];

  beforeAll(async () => {
    definitions = await lendDefinitions([...valueSets.keys()].flatMap(objectsWith));
  });
  afterAll(takeDefinitionsBack);

  it('leaves out none of another project', () => {
    expect([...definitions].sort()).toEqual([
      'clusterqueues.kueue.x-k8s.io',
      'httproutes.gateway.networking.k8s.io',
      'localqueues.kueue.x-k8s.io',
      'podmonitors.monitoring.coreos.com',
      'prometheusrules.monitoring.coreos.com',
      'resourceflavors.kueue.x-k8s.io',
      'scaledobjects.keda.sh',
      'workloadpriorityclasses.kueue.x-k8s.io',
    ]);
  });

  it.each([...valueSets.keys()])('accepts those of %s', (set) => {
    const objects = objectsWith(set);
    expect(objects.length).toBeGreaterThan(20);
    const answer = run(
      'kubectl',
      ['apply', '--server-side', '--force-conflicts', '--dry-run=server', '--filename', '-'],
      objects.map((object) => JSON.stringify(object)).join('\n---\n'),
    );
    expect(answer.ok ? '' : answer.all).toBe('');
    expect(answer.output.trim().split('\n')).toHaveLength(objects.length);
    const warnings = answer.all.split('\n').filter((line) => line.startsWith('Warning'));
    if (set === 'host-folders') expect(warnings.join()).toMatch(/restricted volume types/);
    else expect(warnings).toEqual([]);
  });
});

describe('what each service account may do', () => {
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
  const resources: readonly [string, string][] = [
    ['batch', 'jobs'],
    ['batch', 'jobs/status'],
    ['batch', 'cronjobs'],
    ['', 'pods'],
    ['', 'pods/log'],
    ['', 'pods/exec'],
    ['', 'pods/eviction'],
    ['', 'secrets'],
    ['', 'configmaps'],
    ['', 'persistentvolumeclaims'],
    ['', 'persistentvolumes'],
    ['', 'nodes'],
    ['', 'namespaces'],
    ['', 'events'],
    ['', 'serviceaccounts/token'],
    ['apps', 'deployments'],
    ['rbac.authorization.k8s.io', 'roles'],
    ['rbac.authorization.k8s.io', 'rolebindings'],
    ['kueue.x-k8s.io', 'workloads'],
  ];
  const table = [services, jobs].flatMap((namespace) =>
    resources.flatMap(([group, resource]) => verbs.map((verb): Access => ({ namespace, group, resource, verb }))),
  );
  const inJobs = (resource: string, ...allowed: readonly string[]): readonly string[] =>
    allowed.map((verb) => `${verb} ${resource} in ${jobs}`);

  const expected: readonly [string, readonly string[]][] = [
    ['gateway', []],
    ['decision-worker', []],
    ['log-analysis-worker', []],
    ['postgres', []],
    ['redis', []],
    [
      'executor-worker',
      [
        ...inJobs('jobs', 'get', 'list', 'watch', 'create', 'delete'),
        ...inJobs('pods', 'list', 'watch'),
        ...inJobs('pods/log', 'get'),
        ...inJobs('events', 'list'),
      ],
    ],
    ['remove-jobs', [...inJobs('jobs', 'list', 'delete'), ...inJobs('pods', 'list')]],
  ];

  let reviews: AccessReviews;
  let accounts: readonly Rendered[] = [];
  beforeAll(() => {
    reviews = new AccessReviews(kubeconfig);
    const objects = render('minimal', { 'jobs.namespace': { name: jobs, create: false } }, services);
    const access = objects.filter(({ kind }) => ['ServiceAccount', 'Role', 'RoleBinding'].includes(kind));
    kubectl(['apply', '--filename', '-'], access.map((object) => JSON.stringify(object)).join('\n---\n'));
    accounts = access.filter(({ kind }) => kind === 'ServiceAccount');
  });
  afterAll(() => reviews.close());

  it('is in this table, for all of them', () => {
    const names = accounts.map(({ metadata }) => metadata.name.replace('fleet-phenix-fleet-', ''));
    expect(names.sort()).toEqual(expected.map(([name]) => name).sort());
  });

  const allowedTo = async (namespace: string, account: string): Promise<readonly string[]> => {
    const token = kubectl(['create', 'token', account, '--namespace', namespace]).trim();
    const answers = await Promise.all(table.map((access) => reviews.may(token, access)));
    return table
      .filter((_, index) => answers[index])
      .map(({ namespace: where, resource, verb }) => `${verb} ${resource} in ${where}`);
  };

  it.each(expected)('is its list and nothing more: %s', async (account, list) => {
    const allowed = await allowedTo(services, `fleet-phenix-fleet-${account}`);
    expect([...allowed].sort()).toEqual([...list].sort());
  });

  it('is nothing for programs, which run under the default account of their namespace', async () => {
    expect(await allowedTo(jobs, 'default')).toEqual([]);
  });
});

describe('the end of an installation', () => {
  const jobOf = (name: string, installation: string): unknown => {
    const labels = { 'app.kubernetes.io/managed-by': 'phenix-fleet', 'phenix-fleet.io/installation': installation };
    const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
    return {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name, namespace: jobs, labels },
      spec: {
        template: {
          metadata: { labels },
          spec: {
            restartPolicy: 'Never',
            // No node has it: the pods wait, which is all that is needed.
            nodeSelector: { 'phenix-fleet.io/none': 'here' },
            securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [{ name: 'program', image: 'none', securityContext }],
          },
        },
      },
    };
  };
  const jobNames = (): readonly string[] =>
    kubectl(['get', 'jobs', '--namespace', jobs, '--output', 'name']).split('\n').filter(Boolean);

  it('deletes its own Jobs and pods, waits for that, and leaves those of others', async () => {
    const own = Array.from({ length: 25 }, (_, index) => jobOf(`phx-own-${String(index)}`, 'fleet'));
    const made = [...own, jobOf('phx-other', 'elsewhere')].map((job) => JSON.stringify(job));
    kubectl(['apply', '--filename', '-'], made.join('\n---\n'));
    const folder = mkdtempSync(join(tmpdir(), 'fleet-chart-'));
    try {
      const config = new KubeConfig();
      config.loadFromFile(kubeconfig);
      const cluster = config.getCurrentCluster();
      const tokenOf = ['create', 'token', 'fleet-phenix-fleet-remove-jobs', '--namespace', services];
      writeFileSync(join(folder, 'token'), kubectl(tokenOf));
      writeFileSync(join(folder, 'ca.crt'), Buffer.from(cluster?.caData ?? '', 'base64'));
      const { stdout } = await promisify(execFile)(process.execPath, [join(chart, 'files/remove-jobs.mjs')], {
        env: {
          NAMESPACE: jobs,
          INSTALLATION: 'fleet',
          TIMEOUT_SECONDS: '60',
          API_SERVER: cluster?.server,
          NODE_EXTRA_CA_CERTS: join(folder, 'ca.crt'),
          TOKEN_FILE: join(folder, 'token'),
        },
      });
      expect(stdout).toContain('25 Jobs of fleet were deleted');
      expect(jobNames()).toEqual(['job.batch/phx-other']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
