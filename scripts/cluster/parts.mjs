// The parts of the cluster: command line, readiness probe, and the kinds of cluster that have the part.
import path from 'node:path';
import { binary, cachedFiles, onDemandBinary } from './binaries.mjs';
import { authorityFile, certificateFile, keyFile, kubeconfigOf, tokenKeyFile } from './certificates.mjs';
import {
  apiPort,
  containerdSocket,
  inRun,
  kedaAdapterPort,
  metricsServerPort,
  nodeAddress,
  nodeName,
  serviceNetwork,
} from './layout.mjs';

const etcdClient = 'http://127.0.0.1:12379';
const etcdPeer = 'http://127.0.0.1:12380';

/** The defaults (20 requests/s) would make the controllers the bottleneck of every load test. */
const unhurried = ['--kube-api-qps=500', '--kube-api-burst=1000'];

const etcd = {
  probe: `${etcdClient}/health`,
  command: () => [
    binary('etcd'),
    `--data-dir=${inRun('etcd')}`,
    `--listen-client-urls=${etcdClient}`,
    `--advertise-client-urls=${etcdClient}`,
    `--listen-peer-urls=${etcdPeer}`,
    `--initial-advertise-peer-urls=${etcdPeer}`,
    `--initial-cluster=default=${etcdPeer}`,
    '--unsafe-no-fsync', // safe against a killed process; a power cut may cost a test cluster its data
  ],
};

const apiserver = {
  probe: `https://127.0.0.1:${apiPort}/readyz`,
  companions: ['doorway'], // so that a stopped API server refuses connections, as a real one does
  command: () => [
    binary('kube-apiserver'),
    `--etcd-servers=${etcdClient}`,
    `--secure-port=${apiPort}`,
    `--advertise-address=${nodeAddress}`,
    `--tls-cert-file=${certificateFile('apiserver')}`,
    `--tls-private-key-file=${keyFile('apiserver')}`,
    `--client-ca-file=${authorityFile}`,
    `--service-account-key-file=${tokenKeyFile}`,
    `--service-account-signing-key-file=${tokenKeyFile}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-cluster-ip-range=${serviceNetwork}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--allow-privileged=true',
    '--kubelet-preferred-address-types=InternalIP',
    `--kubelet-certificate-authority=${authorityFile}`,
    `--kubelet-client-certificate=${certificateFile('apiserver-to-kubelet')}`,
    `--kubelet-client-key=${keyFile('apiserver-to-kubelet')}`,
    // For aggregated APIs (KEDA's, metrics-server's): how they verify that this server forwarded a request.
    `--requestheader-client-ca-file=${authorityFile}`,
    '--requestheader-allowed-names=front-proxy',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${certificateFile('front-proxy')}`,
    `--proxy-client-key-file=${keyFile('front-proxy')}`,
    '--enable-aggregator-routing=true', // forwards to their endpoints, so that no kube-proxy is needed
  ],
};

/** Runs on the host (it needs no `inside`): the only entrance to the cluster's network. */
const doorway = {
  outside: true,
  probe: `https://127.0.0.1:${apiPort}/readyz`,
  command: ({ networkNamespace }) => [
    binary('doorway'),
    `127.0.0.1:${apiPort}`,
    networkNamespace,
    `127.0.0.1:${apiPort}`,
  ],
};

const controllerManager = {
  probe: 'https://127.0.0.1:10257/healthz',
  command: () => [
    binary('kube-controller-manager'),
    `--kubeconfig=${kubeconfigOf('controller-manager')}`,
    `--authentication-kubeconfig=${kubeconfigOf('controller-manager')}`,
    `--authorization-kubeconfig=${kubeconfigOf('controller-manager')}`,
    `--service-account-private-key-file=${tokenKeyFile}`,
    `--root-ca-file=${authorityFile}`,
    '--use-service-account-credentials=true',
    '--bind-address=127.0.0.1',
    '--leader-elect=false',
    '--concurrent-job-syncs=50',
    `--flex-volume-plugin-dir=${inRun('volume-plugins')}`,
    ...unhurried,
  ],
};

const scheduler = {
  probe: 'https://127.0.0.1:10259/healthz',
  command: () => [
    binary('kube-scheduler'),
    `--kubeconfig=${kubeconfigOf('scheduler')}`,
    `--authentication-kubeconfig=${kubeconfigOf('scheduler')}`,
    `--authorization-kubeconfig=${kubeconfigOf('scheduler')}`,
    '--bind-address=127.0.0.1',
    '--leader-elect=false',
    ...unhurried,
  ],
};

const containerd = {
  node: true,
  socket: containerdSocket,
  command: () => ['containerd', '--config', inRun('containerd.toml')],
};

const kubelet = {
  node: true,
  probe: 'http://127.0.0.1:10248/healthz',
  command: () => [
    binary('kubelet'),
    `--config=${inRun('kubelet.yaml')}`,
    `--kubeconfig=${kubeconfigOf('kubelet')}`,
    `--root-dir=${inRun('kubelet')}`,
    `--hostname-override=${nodeName}`,
    `--node-ip=${nodeAddress}`,
  ],
};

const kubeProxy = {
  node: true,
  probe: 'http://127.0.0.1:10256/livez',
  command: () => [binary('kube-proxy'), `--config=${inRun('kube-proxy.yaml')}`],
};

const coredns = {
  node: true,
  probe: 'http://127.0.0.1:8181/ready',
  command: () => [binary('coredns'), '-conf', inRun('Corefile')],
};

/** The stages that kwok applies to nodes and pods: its own fast ones, except that our file decides how a Job's pod completes. */
const kwokStages = () => [
  ...cachedFiles('kwok-stages').filter((file) => !file.endsWith('/pod-complete.yaml')),
  path.join(import.meta.dirname, 'stages', 'pod-complete.yaml'),
];

const kwok = {
  onDemand: true,
  probe: 'http://127.0.0.1:10247/healthz',
  command: () => [
    binary('kwok'),
    `--kubeconfig=${kubeconfigOf('kwok')}`,
    '--manage-all-nodes=false',
    '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
    '--node-lease-duration-seconds=40', // without leases the cluster marks each fake node as lost once a minute, and evicts its pods
    '--server-address=127.0.0.1:10247',
    ...kwokStages().map((file) => `--config=${file}`),
  ],
};

const kueue = {
  onDemand: true,
  probe: 'http://127.0.0.1:18081/readyz',
  environment: { KUBECONFIG: kubeconfigOf('kueue') },
  command: () => [binary('kueue'), `--config=${inRun('kueue.yaml')}`],
};

const kedaService = '127.0.0.1:19666';

/** Options of a program that serves an aggregated API: its address, and how it authenticates callers. */
const servingAnApi = (certificate, port, client) => [
  `--bind-address=${nodeAddress}`,
  `--secure-port=${port}`,
  `--tls-cert-file=${certificateFile(certificate)}`,
  `--tls-private-key-file=${keyFile(certificate)}`,
  `--authentication-kubeconfig=${kubeconfigOf(client)}`,
  `--authorization-kubeconfig=${kubeconfigOf(client)}`,
];

const kedaEnvironment = {
  KUBECONFIG: kubeconfigOf('keda'),
  POD_NAMESPACE: 'keda',
  KEDA_CLUSTER_OBJECT_NAMESPACE: 'keda',
  WATCH_NAMESPACE: '',
};

const keda = {
  onDemand: true,
  programs: ['keda-operator', 'keda-adapter'],
  companions: ['keda-adapter'],
  probe: 'http://127.0.0.1:19081/readyz',
  environment: kedaEnvironment,
  command: () => [
    onDemandBinary('keda-operator'),
    '--metrics-bind-address=127.0.0.1:19080',
    '--health-probe-bind-address=127.0.0.1:19081',
    `--metrics-service-bind-address=${kedaService}`,
    `--cert-dir=${inRun('keda-certificates')}`,
    ...unhurried,
  ],
};

/** The half of KEDA that serves metrics to the API server. */
const kedaAdapter = {
  onDemand: true,
  programs: ['keda-adapter'],
  probe: `https://${nodeAddress}:${kedaAdapterPort}/readyz`,
  environment: kedaEnvironment,
  command: () => [
    onDemandBinary('keda-adapter'),
    ...servingAnApi('keda-server', kedaAdapterPort, 'keda'),
    `--lister-kubeconfig=${kubeconfigOf('keda')}`,
    `--cert-dir=${inRun('keda-certificates')}`,
    `--metrics-service-address=${kedaService}`,
    '--port=19082',
  ],
};

const metricsServer = {
  onDemand: true,
  programs: ['metrics-server'],
  probe: `https://${nodeAddress}:${metricsServerPort}/livez`, // it becomes ready only once it has read the node
  command: () => [
    onDemandBinary('metrics-server'),
    ...servingAnApi('metrics-server-server', metricsServerPort, 'metrics-server'),
    `--kubeconfig=${kubeconfigOf('metrics-server')}`,
    `--kubelet-certificate-authority=${authorityFile}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--metric-resolution=15s',
    '--node-selector=type!=kwok', // kwok's nodes have no kubelet to query
  ],
};

/** All parts in start order; they are stopped in reverse order. */
export const parts = {
  etcd,
  apiserver,
  doorway,
  'controller-manager': controllerManager,
  scheduler,
  containerd,
  kubelet,
  'kube-proxy': kubeProxy,
  coredns,
  kwok,
  kueue,
  keda,
  'keda-adapter': kedaAdapter,
  'metrics-server': metricsServer,
};

export const partNames = Object.keys(parts);
