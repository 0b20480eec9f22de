// @needs helm
import type { V1Container, V1PodSpec } from '@kubernetes/client-node';
import { find, objectsOf, podsOf, render, template, type Rendered } from './chart-command';

const services = ['decision-worker', 'executor-worker', 'gateway', 'log-analysis-worker'];
const componentOf = ({ labels = {} }: { readonly labels?: Readonly<Record<string, string>> }): string =>
  labels['app.kubernetes.io/component'] ?? '';

/** The pods of the services, as a policy selects them. */
const ofServices = {
  key: 'app.kubernetes.io/component',
  operator: 'In',
  values: ['gateway', 'decision-worker', 'executor-worker', 'log-analysis-worker'],
};

/** The Secrets that the URL and the authorities of PostgreSQL come from; the same in each of the four services, and in no other pod. */
const sourcesOf = (objects: readonly Rendered[]): unknown => {
  const mounted = podsOf(objects).filter(({ spec }) => spec.volumes?.some(({ name }) => name === 'database'));
  expect(mounted.map(componentOf).sort()).toEqual(services);
  const [first, ...others] = mounted.map(
    ({ spec }) => spec.volumes?.find(({ name }) => name === 'database')?.projected,
  );
  for (const other of others) expect(other).toEqual(first);
  for (const { spec } of mounted)
    expect(spec.containers[0]?.volumeMounts).toContainEqual({
      name: 'database',
      mountPath: '/run/secrets/phenix-fleet-database',
      readOnly: true,
    });
  expect(first?.defaultMode).toBe(0o444);
  return first?.sources?.map(({ secret }) => secret);
};

const settingsOf = (objects: readonly Rendered[]): Readonly<Record<string, string>> => {
  const { data = {} } = find(objects, 'ConfigMap', '-config');
  return Object.fromEntries(Object.entries(data).filter(([name]) => name.startsWith('DATABASE_')));
};

const egressOf = (objects: readonly Rendered[]): unknown => find(objects, 'NetworkPolicy', '-services').spec?.egress;

describe('a PostgreSQL of the facility', () => {
  const objects = render('shared-namespace');

  it('is found by the URL in its Secret, with the authorities that are trusted for it', () => {
    expect(sourcesOf(objects)).toEqual([
      { name: 'database', items: [{ key: 'DATABASE_URL', path: 'url' }] },
      { name: 'database', items: [{ key: 'ca.crt', path: 'ca.crt' }] },
    ]);
    expect(settingsOf(objects)).toEqual({
      DATABASE_URL_FILE: '/run/secrets/phenix-fleet-database/url',
      DATABASE_CA_FILE: '/run/secrets/phenix-fleet-database/ca.crt',
      DATABASE_CONNECTIONS: '10',
    });
  });

  it('is trusted by the authorities of Node.js where none are named', () => {
    const without = render('shared-namespace', { 'database.url.caKey': '' });
    expect(sourcesOf(without)).toEqual([{ name: 'database', items: [{ key: 'DATABASE_URL', path: 'url' }] }]);
    expect(settingsOf(without).DATABASE_CA_FILE).toBe('');
  });

  it('is reached by the services, at its addresses and ports', () => {
    const rule = { to: [{ ipBlock: { cidr: '10.1.2.4/32' } }], ports: [{ protocol: 'TCP', port: 5433 }] };
    expect(egressOf(objects)).toContainEqual(rule);
  });

  it('leaves out the one of the chart', () => {
    expect(objects.filter(({ metadata }) => metadata.name.endsWith('-postgres'))).toEqual([]);
  });
});

describe('a Cluster of CloudNativePG', () => {
  const over = { 'database.server.enabled': false, 'database.cluster.enabled': true };
  const name = 'fleet-phenix-fleet-postgres';

  it('has a database of the fleet, and outlives the release', () => {
    const { apiVersion, metadata, spec } = find(render('minimal', over), 'Cluster', '-postgres');
    expect(apiVersion).toBe('postgresql.cnpg.io/v1');
    expect(metadata).toMatchObject({ name, annotations: { 'helm.sh/resource-policy': 'keep' } });
    expect(spec).toEqual({
      instances: 3,
      bootstrap: { initdb: { database: 'fleet', owner: 'fleet' } },
      postgresql: { parameters: { max_connections: '200' } },
      storage: { size: '20Gi' },
      resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { memory: '2Gi' } },
    });
  });

  it('is found by the Secrets that the operator makes, its certificate verified', () => {
    const objects = render('minimal', over);
    expect(sourcesOf(objects)).toEqual([
      { name: `${name}-app`, items: [{ key: 'uri', path: 'url' }] },
      { name: `${name}-ca`, items: [{ key: 'ca.crt', path: 'ca.crt' }] },
    ]);
    expect(settingsOf(objects).DATABASE_CA_FILE).toBe('/run/secrets/phenix-fleet-database/ca.crt');
    expect(egressOf(objects)).toContainEqual({
      to: [{ podSelector: { matchLabels: { 'cnpg.io/cluster': name } } }],
      ports: [{ protocol: 'TCP', port: 5432 }],
    });
  });

  it('takes what else its spec says, and a restore for a new database', () => {
    const bootstrap = { recovery: { source: 'before', database: 'fleet', owner: 'fleet' } };
    const spec = { backup: { retentionPolicy: '30d' }, bootstrap, storage: { resizeInUseVolumes: false } };
    const made = find(render('minimal', { ...over, 'database.cluster.spec': spec }), 'Cluster', '-postgres').spec;
    expect(made).toMatchObject({ backup: spec.backup, storage: { size: '20Gi', resizeInUseVolumes: false } });
    expect(made?.bootstrap).toEqual(bootstrap);
  });
});

describe('the PostgreSQL of the chart', () => {
  const podOf = (objects: readonly Rendered[]): V1PodSpec => {
    const [pod] = podsOf([find(objects, 'StatefulSet', '-postgres')]);
    if (pod === undefined) throw new Error('PostgreSQL has no pod');
    return pod.spec;
  };
  const containerOf = (objects: readonly Rendered[]): V1Container => {
    const [container] = podOf(objects).containers;
    if (container === undefined) throw new Error('PostgreSQL has no container');
    return container;
  };

  it('has its password in a Secret only, which stays as long as the claim', () => {
    const { output } = template('minimal');
    const { stringData = {}, metadata } = find(objectsOf(output), 'Secret', '-postgres');
    expect(stringData.password).toMatch(/^\w{40}$/);
    const host = 'fleet-phenix-fleet-postgres.fleet.svc.cluster.local';
    expect(stringData.url).toBe(`postgres://fleet:${String(stringData.password)}@${host}:5432/fleet`);
    expect(output.split(String(stringData.password))).toHaveLength(3);
    expect(metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' });
    expect(sourcesOf(objectsOf(output))).toEqual([
      { name: 'fleet-phenix-fleet-postgres', items: [{ key: 'url', path: 'url' }] },
    ]);
  });

  it('takes the Secret that is named, and makes none', () => {
    const objects = render('long-names');
    expect(sourcesOf(objects)).toEqual([{ name: 'database', items: [{ key: 'url', path: 'url' }] }]);
    expect(podOf(objects).volumes).toContainEqual({
      name: 'password',
      secret: { secretName: 'database', items: [{ key: 'password', path: 'password' }] },
    });
    expect(objects.filter(({ kind, metadata }) => kind === 'Secret' && metadata.name.endsWith('-postgres'))).toEqual(
      [],
    );
  });

  it('is configured by the variables of the official image, in a folder of the volume', () => {
    const { env = [], volumeMounts } = containerOf(render('minimal'));
    expect(Object.fromEntries(env.map(({ name, value }) => [name, value]))).toEqual({
      POSTGRES_USER: 'fleet',
      POSTGRES_DB: 'fleet',
      POSTGRES_PASSWORD_FILE: '/run/secrets/postgres/password',
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C.UTF-8',
      PGDATA: '/var/lib/postgresql/pgdata',
    });
    expect(volumeMounts).toContainEqual({ name: 'data', mountPath: '/var/lib/postgresql' });
    // Where a server writes on a root file system that is read-only.
    expect(volumeMounts?.map(({ mountPath }) => mountPath)).toEqual(
      expect.arrayContaining(['/tmp', '/var/run/postgresql', '/dev/shm']),
    );
  });

  it('gets its settings as arguments, each with its digits and signs', () => {
    const { args } = containerOf(render('odd-but-legal'));
    expect(args).toEqual([
      'postgres',
      ...['listen_addresses=*', 'jit=false', 'log_line_prefix=%m [%p] %q"%u" ', 'max_connections=1000'].flatMap(
        (setting) => ['-c', setting],
      ),
      ...['random_page_cost=1.1', 'work_mem=16MB'].flatMap((setting) => ['-c', setting]),
    ]);
  });

  it('lives while it recovers, and is ready only when it answers by TCP', () => {
    const { livenessProbe, readinessProbe, startupProbe } = containerOf(render('minimal'));
    const ready = ['pg_isready', '--quiet', '--host=127.0.0.1', '--username=fleet', '--dbname=fleet'];
    for (const probe of [readinessProbe, startupProbe]) expect(probe?.exec?.command).toEqual(ready);
    expect(livenessProbe?.exec?.command).toEqual(['sh', '-c', `${ready.join(' ')}; test $? -ne 2`]);
  });

  it.each([
    ['a claim of its own', {}, undefined],
    ['a claim that is named', { existingClaim: 'db' }, { persistentVolumeClaim: { claimName: 'db' } }],
    ['nothing that lasts', { enabled: false }, { emptyDir: {} }],
  ])('writes to %s', (_what, persistence, volume) => {
    const objects = render('minimal', { 'database.server.persistence': persistence });
    const data = podOf(objects).volumes?.find(({ name }) => name === 'data');
    expect(data).toEqual(volume === undefined ? undefined : { name: 'data', ...volume });
    const claims = find(objects, 'StatefulSet', '-postgres').spec?.volumeClaimTemplates;
    if (volume === undefined)
      expect(claims).toMatchObject([{ spec: { resources: { requests: { storage: '20Gi' } } } }]);
    else expect(claims).toBeUndefined();
  });

  it.each(['postgres', 'redis'])('lets the pods of the services in and no other: %s', (component) => {
    const policy = find(render('minimal'), 'NetworkPolicy', `-${component}`).spec;
    expect(policy).toMatchObject({
      podSelector: { matchLabels: { 'app.kubernetes.io/component': component } },
      policyTypes: ['Ingress'],
      ingress: [
        { from: [{ podSelector: { matchExpressions: [ofServices] } }], ports: [{ protocol: 'TCP', port: component }] },
      ],
    });
    expect(egressOf(render('minimal'))).toContainEqual({
      to: [
        {
          podSelector: {
            matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': component }) as unknown,
          },
        },
      ],
      ports: [{ protocol: 'TCP', port: component }],
    });
  });
});

describe('the connections of the services', () => {
  it('fit into those that the server takes, with every pod that autoscaling may make', () => {
    const gateway = (maxReplicas: number): Readonly<Record<string, unknown>> => ({
      'services.gateway.autoscaling': { enabled: true, maxReplicas },
      'database.connections': 7,
      'database.server.parameters.max_connections': 157,
    });
    // Three pods of each worker, and the gateways with one more while they are replaced: 21 pods, 147 connections, and 10 for others.
    expect(template('minimal', gateway(11))).toMatchObject({ ok: true });
    expect(template('minimal', gateway(12)).all).toContain(
      'database.server.parameters.max_connections is 157, and 22 pods of the services may open 154 connections, with 10 for others: raise it to 164',
    );
  });
});

const refusals: readonly [string, Readonly<Record<string, unknown>>, RegExp][] = [
  ['one connection', { 'database.connections': 1 }, /\/database\/connections'.*minimum: got 1, want 2/],
  ['a server that loses commits', { 'database.server.parameters': { fsync: 'off' } }, /\/parameters\/fsync'/],
  [
    'a Cluster that loses pages',
    { 'database.cluster.parameters': { full_page_writes: 'off' } },
    /\/parameters\/full_page_writes'/,
  ],
  ['instances in two values', { 'database.cluster.spec': { instances: 1 } }, /\/cluster\/spec\/instances'/],
  ['records nowhere', { 'database.server.enabled': false }, /database: no PostgreSQL is chosen/],
  ['records in two places', { 'database.cluster.enabled': true }, /database: cluster, server are set/],
  [
    'an authority for no URL',
    { 'database.url.caKey': 'ca.crt' },
    /database.url.caKey is set, but database.url.existingSecret is empty/,
  ],
  [
    'a volume of Redis',
    { 'redis.bundled.persistence': { enabled: true } },
    /redis.bundled.persistence is no longer supported/,
  ],
  [
    'an archive of sessions',
    { 'config.FLEET_ARCHIVE_INTERVAL_MS': 60_000 },
    /config.FLEET_ARCHIVE_INTERVAL_MS is no longer supported: records of ended sessions stay in PostgreSQL/,
  ],
  [
    'an archive of sessions for one service',
    { 'services.gateway.config.FLEET_SESSION_RETENTION_DAYS': 7 },
    /services.gateway.config.FLEET_SESSION_RETENTION_DAYS is no longer supported/,
  ],
];

it.each(refusals)('values with %s are refused', (_what, over, message) => {
  const answer = template('minimal', over);
  expect(answer.ok).toBe(false);
  expect(answer.all).toMatch(message);
});
