// @needs helm
import { template } from './chart-command';

/** A value at a path, and words of the message: the path as the validator writes it, and what is wrong. */
const unknownKeys: readonly [string, string][] = [
  ['replicas', ''],
  ['image.name', '/image'],
  ['services.gatway', '/services'],
  ['services.gateway.replica', '/services/gateway'],
  ['services.defaults.autoscaling.max', '/services/defaults/autoscaling'],
  ['services.executorWorker.serviceAccount.automount', '/services/executorWorker/serviceAccount'],
  ['config.FLEET_LOG_LEVLE', '/config'],
  ['config.FLEET_WORK_ROOT', '/config'],
  ['redis.sentinel', '/redis'],
  ['redis.bundled.volume', '/redis/bundled'],
  ['database.url.urlKey', '/database/url'],
  ['database.cluster.backup', '/database/cluster'],
  ['database.server.persistence.storageClass', '/database/server/persistence'],
  ['storage.work.source.glusterfs', '/storage/work/source'],
  ['storage.uploads.maxFileMib', '/storage/uploads'],
  ['jobs.serviceAccount', '/jobs'],
  ['jobs.classes.tpu', '/jobs/classes'],
  ['jobs.classes.gpu.nodes', '/jobs/classes/gpu'],
  ['kueue.enabled', '/kueue'],
  ['kueue.priorityClasses.urgent', '/kueue/priorityClasses'],
  ['networkPolicy.gateway.cidrs', '/networkPolicy/gateway'],
  ['models.local_only', '/models'],
  ['models.roles.cooking', '/models/roles'],
];

const wrongValues: readonly [string, unknown, RegExp][] = [
  ['services.gateway.replicas', 'two', /\/services\/gateway\/replicas'.*got string, want integer/],
  ['services.defaults.autoscaling.by', 'memory', /\/services\/defaults\/autoscaling\/by'.*'auto', 'cpu', 'backlog'/],
  ['services.defaults.autoscaling.targetBacklog', 0, /\/autoscaling\/targetBacklog'.*minimum: got 0, want 1/],
  ['services.defaults.autoscaling.minReplicas', 0, /\/autoscaling\/minReplicas'.*minimum: got 0, want 1/],
  ['services.defaults.autoscaling.prometheusAddress', 'prometheus:9090', /prometheusAddress'.*does not match pattern/],
  ['services.defaults.autoscaling.kind', 'vpa', /\/services\/defaults\/autoscaling\/kind'.*'hpa', 'keda'/],
  ['image.digest', 'latest', /\/image\/digest'.*does not match pattern/],
  ['identity.uid', 0, /\/identity\/uid'.*minimum: got 0, want 1/],
  ['identity.fleetGid', 2147483648, /\/identity\/fleetGid'.*maximum/],
  ['jobs.identity.default.uid', 0, /\/jobs\/identity\/default\/uid'.*minimum: got 0, want 1/],
  ['jobs.namespace.name', 'Fleet Jobs', /\/jobs\/namespace\/name'.*does not match pattern/],
  ['jobs.prediction.service', 'cloud', /\/jobs\/prediction\/service'.*'off', 'local', 'vendor'/],
  ['jobs.onUninstall', 'orphan', /\/jobs\/onUninstall'.*'delete', 'keep'/],
  ['jobs.ttlSecondsAfterFinished', 60, /\/jobs\/ttlSecondsAfterFinished'.*want 3,600/],
  ['jobs.sources', [{ name: 'phenix' }], /\/jobs\/sources\/0'.*missing property 'image'/],
  ['storage.work.mountPath', 'work', /\/storage\/work\/mountPath'.*does not match pattern/],
  [
    'storage.work.source',
    { hostPath: { path: '/a' }, newClaim: { size: '1Gi' } },
    /\/storage\/work\/source'.*maxProperties/,
  ],
  ['storage.uploads.maxFileMiB', 0, /\/storage\/uploads\/maxFileMiB'.*minimum: got 0, want 1/],
  ['redis.keyPrefix', 'a:b', /\/redis\/keyPrefix'.*does not match pattern/],
  ['oidc.issuer', 'http://sso.example.org', /\/oidc\/issuer'.*does not match pattern/],
  ['oidc.algorithms', ['HS256'], /\/oidc\/algorithms\/0'.*'RS256'/],
  ['oidc.claims', { owner: 'email' }, /\/oidc\/claims\/owner'.*got string, want array/],
  ['mail.from', 'Fleet <fleet@example.org>', /\/mail\/from'.*does not match pattern/],
  ['models.targets', [{ id: 'a', protocol: 'bedrock' }], /\/models\/targets\/0\/protocol'.*'openai', 'anthropic'/],
  [
    'models.targets',
    [{ id: 'a', protocol: 'openai', key_file: '/key' }],
    /\/models\/targets\/0'.*'key_file' not allowed/,
  ],
  [
    'models.targets',
    [{ id: 'a', protocol: 'openai', keySecret: { name: 'models' } }],
    /\/models\/targets\/0\/keySecret'.*missing property 'key'/,
  ],
  [
    'models.targets',
    [{ id: 'a', protocol: 'openai', base_url: 'https://user:password@models' }],
    /\/models\/targets\/0\/base_url'.*does not match pattern/,
  ],
  [
    'metrics.rules.changes',
    { PhenixFleetBacklogOld: { for: 'an hour' } },
    /\/metrics\/rules\/changes\/PhenixFleetBacklogOld\/for'.*does not match pattern/,
  ],
  ['models.budgets', { month: {} }, /\/models\/budgets'.*'month' not allowed/],
  ['gateway.service.port', 70000, /\/gateway\/service\/port'.*maximum/],
  ['gateway.httpRoute.path', '/a b', /\/gateway\/httpRoute\/path'.*does not match pattern/],
  ['gateway.httpRoute.path', '/a/../b', /\/gateway\/httpRoute\/path'.*'not' failed/],
  ['gateway.httpRoute.hostnames', ['fleet.org:443'], /\/gateway\/httpRoute\/hostnames\/0'.*does not match pattern/],
  ['gateway.ingress.hosts', [{ host: 'Fleet.org' }], /\/gateway\/ingress\/hosts\/0\/host'.*does not match pattern/],
  ['commonLabels', { 'app.kubernetes.io/name': 'mx' }, /'\/commonLabels\/app.kubernetes.io~1name'/],
  [
    'services.gateway.podLabels',
    { 'app.kubernetes.io/component': 'x' },
    /'\/services\/gateway\/podLabels\/app.kubernetes.io~1component'/,
  ],
  [
    'services.gateway.podAnnotations',
    { 'checksum/config': 'x' },
    /'\/services\/gateway\/podAnnotations\/checksum~1config'/,
  ],
  [
    'jobs.namespace.labels',
    { 'pod-security.kubernetes.io/enforce': 'privileged' },
    /'\/jobs\/namespace\/labels\/pod-security.kubernetes.io~1enforce'/,
  ],
  ['services.gateway.extraEnv', [{ name: 'FLEET_WORK_ROOT', value: '/' }], /\/services\/gateway\/extraEnv\/0\/name'/],
  [
    'services.gateway.extraVolumes',
    [{ name: 'etc', hostPath: { path: '/etc' } }],
    /\/services\/gateway\/extraVolumes\/0'/,
  ],
];

const dataFrom = (...sources: readonly unknown[]): Readonly<Record<string, unknown>> => ({
  'storage.data': sources.map((source, index) => ({
    name: 'data',
    mountPath: `/data${String(index)}`,
    shared: true,
    source,
  })),
});
const nfs = { server: 'nas', path: '/' };

const target = { id: 'one', protocol: 'openai' };
const modelsOf = (more: Readonly<Record<string, unknown>>, planning = ['one']): Readonly<Record<string, unknown>> => ({
  'models.targets': [{ ...target, ...more }],
  'models.roles.planning': planning,
});

const contradictions: readonly [string, Readonly<Record<string, unknown>>, string][] = [
  ['no programs', { 'jobs.sources': [] }, 'jobs.sources is empty'],
  ['no data', { 'storage.data': [] }, 'storage.data is empty'],
  ['no work volume', { 'storage.work.source': null }, 'storage.work.source is empty'],
  [
    'raw data of nobody',
    { 'storage.data': [{ name: 'raw', mountPath: '/raw', source: { nfs } }] },
    '/raw of volume raw does not identify the owners of folders. Write its roots as a template, such as [/raw/{proposal}]',
  ],
  ['one claim for two namespaces', dataFrom({ newClaim: { size: '1Gi' } }), 'a new claim serves one namespace'],
  ['a claim in one namespace of two', dataFrom({ claim: { jobs: 'data' } }), 'in each of the two namespaces'],
  ['two volumes of one name', dataFrom({ nfs }, { nfs }), 'two volumes have the name data'],
  ['folders of the node where they are refused', dataFrom({ hostPath: { path: '/w', direct: true } }), 'podSecurity'],
  [
    'folders of the node where "baseline" refuses them',
    { ...dataFrom({ hostPath: { path: '/w', direct: true } }), 'jobs.namespace.podSecurity': 'baseline' },
    'refused by Pod Security "baseline"',
  ],
  [
    'two volumes in one place',
    { ...dataFrom({ nfs }), 'storage.work.mountPath': '/data0/' },
    'two volumes are mounted at /data0',
  ],
  [
    'results beside the work volume',
    { 'storage.work.root': '/workshop' },
    'storage.work.root, /workshop, is not in its volume',
  ],
  [
    'uploads beside their volume',
    { 'storage.uploads': { root: '/data/new', source: { nfs } } },
    'storage.uploads.root, /data/new, is not in its volume',
  ],
  ['a folder for uploads on no volume', { 'storage.uploads.root': '/uploads/new' }, 'storage.uploads.source is empty'],
  [
    'uploads in place of a data volume',
    { ...dataFrom({ nfs }), 'storage.uploads': { mountPath: '/data0', source: { nfs } } },
    'two volumes are mounted at /data0',
  ],
  [
    'data beside their volume',
    {
      'storage.data': [
        { name: 'data', mountPath: '/data', roots: ['/data/{proposal}', '/data/../raw'], source: { nfs } },
      ],
    },
    'a root of volume data, /data/../raw, is not in its volume',
  ],
  [
    'one account for all services',
    { 'services.defaults.serviceAccount.name': 'fleet' },
    "fleet is the executor's account, with its rights",
  ],
  [
    'an account that two services make',
    { 'services.gateway.serviceAccount.name': 'web', 'services.logAnalysisWorker.serviceAccount.name': 'web' },
    'another service creates the account web already',
  ],
  ['names that no Service may have', { fullnameOverride: '23id' }, '23id is not a valid Service name'],
  ['a namespace that is there already', { 'jobs.namespace.name': 'fleet' }, 'Set it to false'],
  [
    'a drain through an API that is off',
    { 'upgrade.drain.enabled': true, 'config.FLEET_ADMIN_API': 'off' },
    'FLEET_ADMIN_API: off disables',
  ],
  ['an identity provider without an audience', { 'oidc.issuer': 'https://sso.example.org' }, 'oidc.audience is empty'],
  [
    'a login of browsers without an address to come back to',
    {
      'oidc.issuer': 'https://sso.example.org',
      'oidc.audience': 'fleet',
      'oidc.clientId': 'fleet',
      'gateway.publicUrl': 'http://fleet.example.org',
    },
    'gateway.publicUrl is not an https URL',
  ],
  ['a name for a login that does not exist', { 'oidc.name': 'SSO' }, 'oidc.clientId is empty'],
  ['an audience without a provider', { 'oidc.audience': 'fleet' }, 'oidc.issuer is empty'],
  [
    'e-mail from nobody',
    { 'mail.existingSecret': 'mail', 'mail.domains': ['example.org'] },
    'mail.from or mail.domains',
  ],
  ['e-mail without a server', { 'mail.from': 'fleet@example.org' }, 'mail.existingSecret is empty'],
  ['a model twice', { 'models.targets': [target, target] }, 'models.targets: two have the id one'],
  ['models that nobody asks', modelsOf({}, []), 'models.roles.planning is empty, but models.targets is not'],
  ['a model that does not exist', modelsOf({}, ['two']), 'two is not a target; models.targets has one.'],
  [
    'a reader of advice that does not exist',
    { ...modelsOf({}), 'models.roles.directives': ['two'] },
    'models.roles.directives: two is not a target',
  ],
  ['models without targets', { 'models.roles.planning': ['one'] }, 'one is not a target; models.targets has none.'],
  ['Ollama in the pod of the worker', modelsOf({ protocol: 'ollama' }), 'one has no base_url, but Ollama'],
  ['a model without a name', modelsOf({ protocol: 'anthropic' }), 'one has no model, and anthropic has no default'],
  ['a vendor as local', modelsOf({ local: true }), 'without a base_url requests go to its vendor'],
  ['a vendor and local models only', { ...modelsOf({}), 'models.localOnly': true }, 'one is not local'],
  ['a local model that is anywhere', modelsOf({ local: true, base_url: 'http://vllm' }), 'egress.to is empty'],
  [
    'a key that travels in the clear',
    modelsOf({ base_url: 'http://vllm', keySecret: { name: 'models', key: 'k' } }),
    'one has a key, but its base_url is http',
  ],
  [
    'a prediction that no program could reach',
    { 'jobs.prediction': { service: 'vendor' } },
    'jobs.prediction.cidrs is empty',
  ],
  [
    'a way to a service that nobody may ask',
    { 'jobs.prediction.cidrs': ['192.0.2.7/32'] },
    'jobs.prediction.service is off. Set it to vendor',
  ],
  [
    'programs that reach everything, and no prediction',
    { 'jobs.egress': [{ to: [{ ipBlock: { cidr: '::/0' } }] }] },
    'jobs.egress allows any address, but jobs.prediction.service is off',
  ],
  [
    'programs that reach any address at a port, and a prediction of the site',
    { 'jobs.egress': [{ ports: [{ port: 443 }] }], 'jobs.prediction.service': 'local' },
    'jobs.egress allows any address, but jobs.prediction.service is local',
  ],
  ['an authority for a Redis without TLS', { 'redis.external.caKey': 'ca.crt' }, 'the bundled Redis has no TLS'],
  ['an Ingress for no host', { 'gateway.ingress.enabled': true }, 'gateway.ingress.hosts is empty'],
  ['a route of no Gateway', { 'gateway.httpRoute.enabled': true }, 'gateway.httpRoute.parentRefs is empty'],
  [
    'more pods at the least than at the most',
    { 'services.gateway.autoscaling': { enabled: true, minReplicas: 3, maxReplicas: 2 } },
    'services.gateway.autoscaling: minReplicas is 3, more than maxReplicas, 2',
  ],
  [
    'a backlog of the gateway',
    { 'services.gateway.autoscaling': { enabled: true, by: 'backlog' } },
    'services.gateway.autoscaling: by is backlog, but no steps wait for a gateway. Use cpu',
  ],
  [
    "KEDA's triggers without KEDA",
    { 'services.decisionWorker.autoscaling': { enabled: true, triggers: [{ type: 'cron', metadata: {} }] } },
    'services.decisionWorker.autoscaling: triggers need KEDA, but kind is hpa',
  ],
  [
    'a Prometheus that nobody would ask',
    { 'services.decisionWorker.autoscaling': { enabled: true, prometheusAddress: 'http://prometheus:9090' } },
    'services.decisionWorker.autoscaling: prometheusAddress is for kind keda by backlog, and this is hpa by cpu',
  ],
  [
    'KEDA to ask gateways behind a wall',
    { 'services.decisionWorker.autoscaling': { enabled: true, kind: 'keda' } },
    'networkPolicy.metrics.from is empty, but KEDA queries the gateways for backlogs',
  ],
  [
    "the executor's rights for everybody",
    { 'services.executorWorker.serviceAccount.create': false },
    "every pod of the namespace would get the executor's rights",
  ],
];

describe('the values are refused', () => {
  it.each(unknownKeys)('with the unknown key %s', (key, place) => {
    const answer = template('minimal', { [key]: 'x' });
    expect(answer.ok).toBe(false);
    expect(answer.all).toContain(`at '${place}': additional properties '${key.split('.').at(-1) ?? ''}' not allowed`);
  });

  it.each(wrongValues)('when %s is %j', (key, value, message) => {
    const answer = template('minimal', { [key]: value });
    expect(answer.ok).toBe(false);
    expect(answer.all).toMatch(message);
  });

  it.each(contradictions)('when they ask for %s', (_what, over, message) => {
    const answer = template('minimal', over);
    expect(answer.ok).toBe(false);
    expect(answer.all).toContain(message);
  });
});
