// @needs helm
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeConfig, loadConfig, LogConfig, OidcConfig, oidcOf } from '@fleet/config';
import { Queues, queuePolicies } from '@fleet/contracts/queues';
import { kubernetesSettings, parseKubernetesSettings } from '@fleet/kubernetes-backend';
import { load } from 'js-yaml';
import { chart, find, lint, podsOf, render, run, template, valueSets, type Rendered } from './chart-command';
import { restrictedProblems } from './pod-security';

const checkout = resolve(__dirname, '../..');
const sets = [...valueSets.keys()];
const schemas = join(__dirname, 'schemas', '{{ .ResourceKind }}{{ .KindSuffix }}.json');
const json = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
const environmentOf = (objects: readonly Rendered[]): Readonly<Record<string, string>> =>
  find(objects, 'ConfigMap', '-config').data ?? {};

type Definitions = Readonly<Record<string, unknown>>;

/**
 * A schema with the definitions in place of their names, and without what the chart writes differently: descriptions, the type of an
 * enumeration, members with a default as required, and \u0000, which Helm's regular expressions (Go's) do not know.
 */
const comparable = (schema: unknown, definitions: Definitions): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('[^\\\\u0000]', '.'), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { $ref, description: _description, required, ...rest } = value as Definitions;
    const named = typeof $ref === 'string' ? definitions[$ref.replace('#/$defs/', '')] : undefined;
    if (named !== undefined) return comparable(named, definitions);
    const { properties = {} } = rest as {
      readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
    };
    const needed = Array.isArray(required)
      ? required.filter((name: string) => properties[name]?.default === undefined)
      : [];
    return { ...rest, ...('enum' in rest && { type: 'string' }), ...(needed.length > 0 && { required: needed }) };
  });

/** All FLEET_, DATABASE_ and REDIS_ variables that the services know, out of their own description. */
const knownVariables = [...describeConfig().matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name ?? '');

it('is tried with ten value sets at least', () => {
  expect(sets.length).toBeGreaterThanOrEqual(10);
});

it('has the version of the project, also in its examples', () => {
  const { version } = json(join(checkout, 'package.json'));
  const about = load(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as { version: string; appVersion: string };
  expect(about).toMatchObject({ version, appVersion: version });
  for (const file of valueSets.values()) {
    const tags = [...readFileSync(file, 'utf8').matchAll(/phenix-fleet\/[\w-]+:([\d.]+)|open-phenix:([\d.]+)/g)];
    for (const [, one, other] of tags) expect(one ?? other).toBe(version);
  }
});

it('has a README that says what values.yaml says', () => {
  const answer = run(process.execPath, [join(checkout, 'scripts/chart-readme.mjs'), '--check']);
  expect(answer.all).toMatch(/^\s*$/);
  expect(answer.ok).toBe(true);
});

describe.each(sets)('with the values of %s', (set) => {
  let objects: readonly Rendered[] = [];
  beforeAll(() => {
    objects = render(set);
  });

  it('passes helm lint --strict', () => {
    expect(lint(set)).toMatchObject({ ok: true });
  });

  it('renders objects that Kubernetes 1.35, Kueue, KEDA, the Gateway API, CloudNativePG and the Prometheus Operator know, to the last key', () => {
    const answer = run('kubeconform', ['-strict', '-summary', '-schema-location', schemas], template(set).output);
    expect(answer.all).toContain(`Valid: ${String(objects.length)}, Invalid: 0, Errors: 0, Skipped: 0`);
  });

  it('renders a settings file that the executor accepts', () => {
    const file = find(objects, 'ConfigMap', '-kubernetes').data?.['kubernetes.yaml'] ?? '';
    expect(() => parseKubernetesSettings(file, set)).not.toThrow();
  });

  it('sets no variable that the services do not know', () => {
    const own = podsOf(objects).flatMap(({ spec }) => spec.containers.flatMap(({ env }) => env ?? []));
    const fleet = own.filter(({ name }) => name.startsWith('FLEET_')).map(({ name, value }) => [name, value ?? 'x']);
    const environment = { ...environmentOf(objects), ...(Object.fromEntries(fleet) as Record<string, string>) };
    expect(knownVariables).toEqual(
      expect.arrayContaining(Object.keys(environment).map((name) => name.replace(/_(URL|SECRET)_FILE$/, '_$1'))),
    );
    expect(() => loadConfig(LogConfig, environment)).not.toThrow();
  });

  it('makes no pod that Pod Security "restricted" refuses, but with folders of the node mounted directly', () => {
    const problems = podsOf(objects).flatMap((pod) =>
      restrictedProblems(pod).map((problem) => `${pod.owner.metadata.name} ${problem}`),
    );
    const expected = set === 'host-folders' ? /volume (work|data) is of a kind that is refused$/ : /^$/;
    for (const problem of problems) expect(problem).toMatch(expected);
    expect(problems.length > 0).toBe(set === 'host-folders');
  });

  it('gives no pod but the executor a token, and none the variables of Services', () => {
    const pods = podsOf(objects);
    const withToken = pods.filter(({ spec }) => spec.automountServiceAccountToken !== false);
    const names = withToken.map(({ labels }) => labels['app.kubernetes.io/component']);
    expect(names.filter((name) => name !== 'remove-jobs')).toEqual(['executor-worker']);
    expect(pods.filter(({ spec }) => spec.enableServiceLinks !== false)).toEqual([]);
  });

  it('labels every object, and names none twice', () => {
    const identities = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
    expect(new Set(identities).size).toBe(identities.length);
    for (const { metadata } of objects)
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/instance': 'fleet',
        'app.kubernetes.io/part-of': 'phenix-fleet',
      });
  });
});

describe('rights', () => {
  it('are the Jobs of the Jobs namespace for the executor, and nothing else for nobody', () => {
    const objects = render('shared-namespace').filter(
      ({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined,
    );
    expect(objects.filter(({ kind }) => kind.startsWith('ClusterRole'))).toEqual([]);
    const roles = objects.filter(({ kind }) => kind === 'Role');
    expect(roles).toMatchObject([{ metadata: { namespace: 'shared-jobs' } }]);
    expect(roles[0]?.rules).toEqual([
      { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list', 'watch', 'create', 'delete'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
      { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
      { apiGroups: [''], resources: ['events'], verbs: ['list'] },
    ]);
    const bindings = objects.filter(({ kind }) => kind === 'RoleBinding');
    expect(bindings.flatMap(({ subjects }) => subjects ?? [])).toMatchObject([
      { name: 'fleet-executor', namespace: 'fleet' },
    ]);
  });
});

it('sends hooks and tests to the nodes of the services, which may be the only ones that have their image', () => {
  const where = {
    nodeSelector: { pool: 'services' },
    tolerations: [{ key: 'services', operator: 'Exists' }],
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}] } } },
  };
  const over = Object.entries(where).map(([key, value]) => [`services.defaults.${key}`, value]);
  const drained = { ...Object.fromEntries(over), 'upgrade.drain.enabled': true } as Record<string, unknown>;
  const pods = podsOf(render('one-namespace', { ...drained, 'jobs.onUninstall': 'delete' }));
  const scripts = pods.filter(({ owner }) => owner.metadata.annotations?.['helm.sh/hook'] !== undefined);
  expect(scripts).toHaveLength(4);
  for (const { spec } of scripts) expect(spec).toMatchObject(where);
});

describe('the end of a pod', () => {
  it.each([
    ['decisionWorker', queuePolicies[Queues.decisions].drainTimeoutMs],
    ['executorWorker', queuePolicies[Queues.executions].drainTimeoutMs],
    ['logAnalysisWorker', queuePolicies[Queues.analyses].drainTimeoutMs],
  ])('leaves %s the time its steps may take', (service, drainMs) => {
    const key = `services.${service}.terminationGracePeriodSeconds`;
    const least = drainMs / 1000 + 6;
    expect(template('minimal', { [key]: least - 1 }).all).toContain(key);
    expect(template('minimal', { [key]: least })).toMatchObject({ ok: true });
  });
});

describe('settings of the services', () => {
  it('can be set by name, all of them but those the chart sets, those of programs on one machine and those of uploads', () => {
    const schema = json(join(chart, 'values.schema.json')) as {
      $defs: { config: { properties: Record<string, unknown> } };
    };
    const settable = Object.keys(schema.$defs.config.properties);
    const set = [
      ...Object.keys(environmentOf(render('minimal'))),
      'FLEET_KUBERNETES_FILE',
      'FLEET_INITIAL_ADMIN_KEY_FILE',
      'FLEET_OIDC_CLIENT_SECRET',
      'DATABASE_URL',
      'REDIS_URL',
      'FLEET_SMTP_URL',
      'FLEET_MODELS_FILE',
    ];
    const ofOneMachine = ['PHENIX_DIR', 'FLEET_OPEN_PHENIX_DIR', 'FLEET_MAX_RUNNING', 'FLEET_MEMORY_FRACTION'];
    // The chart mounts data read-only.
    const ofUploads = knownVariables.filter((name) => name.startsWith('FLEET_UPLOAD_'));
    const unset = set.filter((name) => !settable.includes(name));
    const elsewhere = [...unset, ...ofOneMachine, ...ofUploads, 'DATABASE_URL_FILE', 'REDIS_URL_FILE'];
    expect(settable.sort()).toEqual(knownVariables.filter((name) => !elsewhere.includes(name)).sort());
  });

  it('keep their digits, however large the number', () => {
    expect(environmentOf(render('shared-namespace'))).toMatchObject({
      FLEET_MAX_BODY_BYTES: '10485760',
      FLEET_LOG_LEVEL: 'debug',
    });
  });

  it('name the identity provider, and say how its claims are read', () => {
    const { FLEET_OIDC_CLAIMS: claims = '', ...settings } = environmentOf(render('shared-namespace'));
    expect(settings).toMatchObject({
      FLEET_OIDC_ISSUER: 'https://sso.example.org/realms/facility',
      FLEET_OIDC_AUDIENCE: 'phenix-fleet',
      FLEET_OIDC_ALGORITHMS: 'RS256,PS256,ES256,EdDSA',
      FLEET_OIDC_DEVICE_CLIENT: 'phx',
      FLEET_OIDC_SCOPES: 'openid profile offline_access',
      FLEET_OIDC_CLIENT_ID: 'phenix-fleet-browsers',
      FLEET_OIDC_NAME: 'Example Light Source',
      FLEET_OIDC_BROWSER_SCOPES: 'openid profile',
      FLEET_PUBLIC_URL: 'https://fleet.example.org',
    });
    expect(oidcOf(loadConfig(OidcConfig, { ...settings, FLEET_OIDC_CLAIMS: claims }))?.claims).toMatchObject({
      proposals: { claim: ['groups'], prefix: '/proposals/' },
      roles: { staff: ['fleet-staff'] },
    });
    expect(oidcOf(loadConfig(OidcConfig, environmentOf(render('minimal'))))).toBeUndefined();
  });

  it('give the secret of the login of browsers to the gateway alone', () => {
    const reading = podsOf(render('shared-namespace')).filter((pod) =>
      JSON.stringify(pod).includes('FLEET_OIDC_CLIENT_SECRET_FILE'),
    );
    expect(reading).toHaveLength(1);
    expect(JSON.stringify(reading)).toContain('"secretName":"login"');
    expect(JSON.stringify(podsOf(render('minimal')))).not.toContain('FLEET_OIDC_CLIENT_SECRET_FILE');
  });

  it('let the gateway answer to its Service, its routes and the names that are given, and to no other name', () => {
    const objects = render('minimal', {
      'gateway.ingress': { enabled: true, hosts: [{ host: 'fleet.example.org' }] },
      'gateway.httpRoute': { enabled: true, parentRefs: [{ name: 'edge' }], hostnames: ['*.fleet.example.org'] },
      'gateway.names': ['proxy.example.org'],
    });
    const service = find(objects, 'Service', '-gateway').metadata.name;
    expect(environmentOf(objects).FLEET_GATEWAY_NAMES?.split(',')).toEqual([
      ...['', '.fleet', '.fleet.svc', '.fleet.svc.cluster.local'].map((end) => `${service}${end}`),
      'fleet.example.org',
      '*.fleet.example.org',
      'proxy.example.org',
    ]);
  });

  it('roll the pods when they change, and only those that read them', () => {
    const checksums = (over: Record<string, unknown>): Record<string, unknown> =>
      Object.fromEntries(
        render('minimal', over)
          .filter(({ kind, metadata }) => kind === 'Deployment' && !metadata.name.endsWith('-redis'))
          .map(({ metadata, spec }) => [metadata.name.replace('fleet-phenix-fleet-', ''), spec?.template]),
      );
    const before = checksums({});
    const settings = checksums({ 'jobs.gpuWaitSeconds': 60 });
    expect(settings['executor-worker']).not.toEqual(before['executor-worker']);
    expect(settings.gateway).toEqual(before.gateway);
    const environment = checksums({ 'config.FLEET_LOG_LEVEL': 'debug' });
    for (const [name, pod] of Object.entries(environment)) expect(pod).not.toEqual(before[name]);
  });

  it('take class, source and identity from the same definitions as the settings file', () => {
    const ours = json(join(chart, 'values.schema.json')).$defs as Definitions;
    const { sources, classes, identity } = kubernetesSettings.properties ?? {};
    expect([ours.nodeClass, ours.programSource, ours.identity].map((one) => comparable(one, ours))).toEqual(
      [classes?.properties?.cpu, sources?.items, identity?.properties?.default].map((one) => comparable(one, {})),
    );
  });
});

describe('volumes', () => {
  it('are a pair over one folder where services and Jobs have two namespaces', () => {
    const objects = render('minimal');
    const claims = objects.filter(({ kind }) => kind === 'PersistentVolumeClaim');
    expect(claims.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`).sort()).toEqual([
      'fleet-jobs/fleet-phenix-fleet-data',
      'fleet-jobs/fleet-phenix-fleet-work',
      'fleet/fleet-phenix-fleet-data',
      'fleet/fleet-phenix-fleet-work',
    ]);
    const volumes = objects.filter(({ kind }) => kind === 'PersistentVolume');
    for (const { spec } of volumes)
      expect(spec).toMatchObject({ persistentVolumeReclaimPolicy: 'Retain', nfs: { server: 'nas' } });
  });

  it('with uploads are written by the gateway alone, and read by everything else', () => {
    const objects = render('one-namespace');
    const mounts = podsOf(objects).flatMap(({ labels, spec }) =>
      (spec.containers[0]?.volumeMounts ?? [])
        .filter(({ name }) => name === 'uploads')
        .map((mount) => [labels['app.kubernetes.io/component'], mount.readOnly ?? false]),
    );
    expect(Object.fromEntries(mounts)).toEqual({
      gateway: false,
      'decision-worker': true,
      'executor-worker': true,
      'log-analysis-worker': true,
    });
    const file = load(find(objects, 'ConfigMap', '-kubernetes').data?.['kubernetes.yaml'] ?? '') as {
      volumes: { data: unknown };
    };
    expect(file.volumes.data).toContainEqual({ mountPath: '/uploads', claim: 'fleet-phenix-fleet-uploads' });
    expect(environmentOf(objects)['FLEET_DATA_ROOTS']).toBe('/data/{proposal}:/uploads/{proposal}');
    const variables = podsOf(objects).map(({ labels, spec }) => [
      labels['app.kubernetes.io/component'],
      JSON.stringify(spec.containers[0]).includes('"FLEET_UPLOAD_ROOT","value":"/uploads"'),
    ]);
    expect(variables.filter(([, told]) => told)).toEqual([['gateway', true]]);
  });

  it('are mounted at one path in services and Jobs, data read-only', () => {
    const objects = render('shared-namespace');
    const file = load(find(objects, 'ConfigMap', '-kubernetes').data?.['kubernetes.yaml'] ?? '') as {
      volumes: Record<string, unknown>;
    };
    expect(file.volumes).toEqual({
      work: { mountPath: '/gpfs', claim: 'beamline-fleet-work' },
      data: [{ mountPath: '/data', claim: 'data-jobs' }],
      software: [{ mountPath: '/software', claim: 'software' }],
    });
    expect(environmentOf(objects)).toMatchObject({
      FLEET_WORK_ROOT: '/gpfs/fleet/work',
      FLEET_DATA_ROOTS: '/data/a/{proposal}:/data/b/{proposal}',
      FLEET_SHARED_ROOTS: '',
    });
    const [gateway] = podsOf(objects).filter(({ labels }) => labels['app.kubernetes.io/component'] === 'gateway');
    expect(gateway?.spec.containers[0]?.volumeMounts).toEqual(
      expect.arrayContaining([
        { name: 'work', mountPath: '/gpfs' },
        { name: 'data', mountPath: '/data', readOnly: true },
      ]),
    );
  });
});
