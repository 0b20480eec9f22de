// The cluster's components: each binary, the Go module that pins it (go/*/go.mod and go.sum), and the cache key.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { cacheRoot } from '../setup/paths.mjs';
import { sources } from './layout.mjs';

const goSources = path.join(sources, 'go');

export const moduleDirectory = (name) => path.join(goSources, name);

/** The version of a module that one of our go.mod files requires. */
function pinned(moduleName, dependency) {
  const text = fs.readFileSync(path.join(moduleDirectory(moduleName), 'go.mod'), 'utf8');
  const version = text
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^require /, '')
        .split(' '),
    )
    .find(([name]) => name === dependency)?.[1];
  if (version === undefined) throw new Error(`go/${moduleName}/go.mod requires no ${dependency}`);
  return version;
}

export const versions = {
  kubernetes: pinned('kubernetes', 'k8s.io/kubernetes'),
  etcd: pinned('kubernetes', 'go.etcd.io/etcd/server/v3'),
  coredns: pinned('coredns', 'github.com/coredns/coredns'),
  kwok: pinned('kwok', 'sigs.k8s.io/kwok'),
  kueue: pinned('kueue', 'sigs.k8s.io/kueue'),
  helm: pinned('helm', 'helm.sh/helm/v3'),
  kubeconform: pinned('kubeconform', 'github.com/yannh/kubeconform'),
  prometheus: pinned('prometheus', 'github.com/prometheus/prometheus'),
  keda: pinned('keda', 'github.com/kedacore/keda/v2'),
  'metrics-server': pinned('metrics-server', 'sigs.k8s.io/metrics-server'),
  syft: pinned('syft', 'github.com/anchore/syft'),
};

const [major, minor] = versions.kubernetes.slice(1).split('.');

/** Linker flags that set string variables, so that the programs know their own version. */
const stamps = (values) =>
  Object.entries(values)
    .map(([variable, value]) => `-X ${variable}=${value}`)
    .join(' ');

const kubernetesStamps = stamps({
  'k8s.io/component-base/version.gitVersion': versions.kubernetes,
  'k8s.io/component-base/version.gitMajor': major,
  'k8s.io/component-base/version.gitMinor': minor,
});

/** The version that helm lint and helm template compare a chart's kubeVersion with; the default is 1.20. */
const helmStamps = stamps({
  'helm.sh/helm/v3/internal/version.version': versions.helm,
  'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMajor': major,
  'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor': minor,
  'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': major,
  'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': minor,
});

const kubernetes = (name) => ({
  name,
  module: 'kubernetes',
  package: `k8s.io/kubernetes/cmd/${name}`,
  flags: kubernetesStamps,
});

/** Every binary: its name, the module it is built in, its package, more linker flags, and build tags. */
export const binaries = [
  kubernetes('kube-apiserver'),
  kubernetes('kube-controller-manager'),
  kubernetes('kube-scheduler'),
  kubernetes('kubelet'),
  kubernetes('kube-proxy'),
  kubernetes('kubectl'),
  { name: 'etcd', module: 'kubernetes', package: 'go.etcd.io/etcd/server/v3' },
  { name: 'coredns', module: 'coredns', package: '.' },
  { name: 'kwok', module: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok' },
  { name: 'helm', module: 'helm', package: 'helm.sh/helm/v3/cmd/helm', flags: helmStamps },
  {
    name: 'kubeconform',
    module: 'kubeconform',
    package: 'github.com/yannh/kubeconform/cmd/kubeconform',
    flags: stamps({ 'main.version': versions.kubeconform }),
  },
  {
    name: 'promtool',
    module: 'prometheus',
    package: 'github.com/prometheus/prometheus/cmd/promtool',
    flags: stamps({ 'github.com/prometheus/common/version.Version': versions.prometheus.slice(1) }),
    // Without the service discovery of clouds: rules need none, and one of its modules is not always available.
    tags: 'remove_all_sd',
  },
  { name: 'kueue', module: 'kueue', package: 'sigs.k8s.io/kueue/cmd/kueue' },
  { name: 'pause', module: 'own', package: './pause' },
  { name: 'doorway', module: 'own', package: './doorway' },
];

/** Programs that render and check the chart without a cluster: built separately, and copied beside the cluster's other binaries. */
export const chartTools = binaries.filter(({ name }) => ['helm', 'kubeconform'].includes(name));

/** The triggers that the chart uses. The others, with clients for every cloud and queue, are nine tenths of KEDA's build. */
const kedaTriggers = {
  dependency: 'github.com/kedacore/keda/v2',
  files: {
    'pkg/scalers': [
      'azure_queue_scaler.go', // has a constant that the others need
      'cpu_memory_scaler.go',
      'metrics_api_scaler.go',
      'prometheus_scaler.go',
      'scaler.go',
    ],
    'pkg/scalers/azure': [
      'azure_aad_auth.go',
      'azure_aad_workload_identity.go',
      'azure_azidentity_chain.go',
      'azure_cloud_environment.go',
      'azure_managed_prometheus_http_round_tripper.go',
      'azure_service_principal.go',
      'azure_storage.go',
      'cloud_config.go',
    ],
  },
  cases: { 'pkg/scaling/scalers_builder.go': ['azure-queue', 'cpu', 'memory', 'metrics-api', 'prometheus'] },
};

const keda = (name) => ({
  name: `keda-${name}`,
  module: 'keda',
  package: `github.com/kedacore/keda/v2/cmd/${name}`,
  flags: stamps({ 'github.com/kedacore/keda/v2/version.Version': versions.keda.slice(1) }),
  trimmed: kedaTriggers,
});

/** Programs that no cluster needs: `ensureOnDemand` builds each at its first use, `npm run test:cluster` builds none. */
export const onDemand = [
  {
    name: 'syft',
    module: 'syft',
    package: 'github.com/anchore/syft/cmd/syft',
    flags: stamps({ 'main.version': versions.syft.slice(1) }),
  },
  keda('operator'),
  keda('adapter'),
  {
    name: 'metrics-server',
    module: 'metrics-server',
    package: 'sigs.k8s.io/metrics-server/cmd/metrics-server',
    flags: stamps({ 'k8s.io/client-go/pkg/version.gitVersion': versions['metrics-server'] }),
  },
  // Collector, store in memory and query API in one process: the benchmark of traces.
  { name: 'jaeger', module: 'jaeger', package: 'github.com/jaegertracing/jaeger/cmd/all-in-one' },
];

/**
 * Files that a Go module contains beside its code, by the folder of the cache: needed by the running cluster, or (KEDA's, the Gateway
 * API's and the Prometheus Operator's) by a test that sends objects of those kinds to the API server.
 */
export const moduleFiles = [
  {
    folder: 'kwok-stages',
    module: 'kwok',
    dependency: 'sigs.k8s.io/kwok',
    from: ['kustomize/stage/node/fast', 'kustomize/stage/node/heartbeat-with-lease', 'kustomize/stage/pod/fast'],
  },
  {
    folder: 'kueue-crds',
    module: 'kueue',
    dependency: 'sigs.k8s.io/kueue',
    from: ['config/components/crd/bases'],
  },
  {
    folder: 'kueue-webhooks',
    module: 'kueue',
    dependency: 'sigs.k8s.io/kueue',
    from: ['config/components/webhook'],
  },
  {
    folder: 'keda-crds',
    module: 'definitions',
    dependency: 'github.com/kedacore/keda/v2',
    from: ['config/crd/bases'],
  },
  {
    folder: 'gateway-crds',
    module: 'definitions',
    dependency: 'sigs.k8s.io/gateway-api',
    from: ['config/crd/standard'],
  },
  {
    folder: 'prometheus-operator-crds',
    module: 'definitions',
    dependency: 'github.com/prometheus-operator/prometheus-operator',
    from: ['example/prometheus-operator-crd'],
  },
];

function filesBelow(directory) {
  return fs
    .readdirSync(directory, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(path.join(directory, entry.name)) : path.join(directory, entry.name),
    )
    .sort();
}

/**
 * Cache key that changes with every pinned version, sum and flag of the programs built from these modules, so that no cache entry is
 * rebuilt in place. Other modules do not affect it.
 */
function keyOf(recipe, modules) {
  const hash = createHash('sha256').update(JSON.stringify([...recipe, process.arch]));
  for (const file of filesBelow(goSources).filter((file) => modules.has(moduleOf(file))))
    hash.update(path.relative(goSources, file)).update('\0').update(fs.readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

const moduleOf = (file) => path.relative(goSources, file).split(path.sep)[0];
const clusterModules = new Set([...binaries, ...moduleFiles].map(({ module }) => module));
const clusterKey = `kubernetes-${versions.kubernetes.slice(1)}-${keyOf([binaries, moduleFiles], clusterModules)}`;

export const cacheDirectory = path.join(cacheRoot, 'cluster', clusterKey);
export const binDirectory = path.join(cacheDirectory, 'bin');

/** The cache folder of a program of `onDemand`: separate, so that a new pin rebuilds only this program. */
export const onDemandDirectory = (tool) =>
  path.join(cacheRoot, 'tools', `${tool.name}-${keyOf([tool], new Set([tool.module]))}`);

export const chartToolsDirectory = path.join(
  cacheRoot,
  'tools',
  `chart-${keyOf(chartTools, new Set(chartTools.map((tool) => tool.module)))}`,
);
