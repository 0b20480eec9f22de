// The configuration files of the node's programs, written as JSON wherever the program reads YAML.
import fs from 'node:fs';
import { authorityFile, certificateFile, keyFile, kubeconfigOf } from './certificates.mjs';
import {
  cgroupName,
  cniPlugins,
  containerdSocket,
  inRun,
  kueueWebhookPort,
  nodeAddress,
  nodeName,
  pauseImage,
  podNetwork,
} from './layout.mjs';

const containerdConfig = () => `version = 2
root = "${inRun('containerd')}"
state = "/run/containerd/state"
[grpc]
  address = "${containerdSocket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  # Where root lacks CAP_SYS_RESOURCE, lowering a score fails and runc says "can't get final child's PID from pipe".
  restrict_oom_score_adj = true
[plugins."io.containerd.internal.v1.opt"]
  path = "${inRun('containerd-opt')}"
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "${cniPlugins}"
  conf_dir = "${inRun('cni')}"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
`;

/** Each pod has its own link to the node instead of a bridge, so that replies from a Service always pass the node's rules. */
const podNetworkConfig = () => ({
  cniVersion: '0.4.0',
  name: 'phenix-fleet',
  plugins: [
    {
      type: 'ptp',
      ipMasq: false,
      ipam: {
        type: 'host-local',
        dataDir: inRun('pod-addresses'),
        ranges: [[{ subnet: podNetwork }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
  ],
});

const kubeletConfig = () => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  address: nodeAddress,
  healthzBindAddress: '127.0.0.1',
  readOnlyPort: 0,
  tlsCertFile: certificateFile('kubelet-server'),
  tlsPrivateKeyFile: keyFile('kubelet-server'),
  authentication: { x509: { clientCAFile: authorityFile }, webhook: { enabled: true }, anonymous: { enabled: false } },
  authorization: { mode: 'Webhook' },
  containerRuntimeEndpoint: `unix://${containerdSocket}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${cgroupName}`,
  failCgroupV1: false,
  failSwapOn: false,
  clusterDNS: [nodeAddress],
  clusterDomain: 'cluster.local',
  resolvConf: inRun('resolv.conf'),
  podLogsDir: inRun('pod-logs'),
  volumePluginDir: inRun('volume-plugins'),
  maxPods: 250,
  serializeImagePulls: false,
  // A developer's disk is often nearly full; the defaults (10 % and 15 % free) would evict every pod.
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  imageGCHighThresholdPercent: 100,
});

const kubeProxyConfig = () => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'nftables',
  clientConnection: { kubeconfig: kubeconfigOf('kube-proxy') },
  clusterCIDR: podNetwork,
  conntrack: { maxPerCore: 0, min: 0 }, // a limit of the whole machine, not ours to change
  hostnameOverride: nodeName,
  nodePortAddresses: ['primary'],
  bindAddress: '127.0.0.1',
  healthzBindAddress: '127.0.0.1:10256',
  metricsBindAddress: '127.0.0.1:10249',
});

/** Resolves only names of the cluster and refuses any other at once, because nothing outside can be reached. */
const corefile = () => `.:53 {
  bind ${nodeAddress}
  errors
  ready 127.0.0.1:8181
  kubernetes cluster.local in-addr.arpa {
    kubeconfig ${kubeconfigOf('coredns')}
  }
  cache 5
}
`;

const kueueConfig = () => ({
  apiVersion: 'config.kueue.x-k8s.io/v1beta1',
  kind: 'Configuration',
  namespace: 'kueue-system',
  health: { healthProbeBindAddress: '127.0.0.1:18081' },
  metrics: { bindAddress: '127.0.0.1:18080' },
  webhook: { port: kueueWebhookPort, certDir: inRun('kueue-certificates') },
  leaderElection: { leaderElect: false },
  clientConnection: { qps: 500, burst: 1000 },
  featureGates: { VisibilityOnDemand: false }, // it would need an aggregated API
  internalCertManagement: { enable: false },
  integrations: { frameworks: ['batch/job'] },
});

function kueueCertificates() {
  fs.mkdirSync(inRun('kueue-certificates'), { recursive: true });
  fs.copyFileSync(certificateFile('kueue-server'), inRun('kueue-certificates', 'tls.crt'));
  fs.copyFileSync(keyFile('kueue-server'), inRun('kueue-certificates', 'tls.key'));
}

const write = (name, content) =>
  fs.writeFileSync(inRun(name), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);

export function writeNodeFiles() {
  fs.mkdirSync(inRun('cni'), { recursive: true });
  write('containerd.toml', containerdConfig());
  write('cni/10-phenix-fleet.conflist', podNetworkConfig());
  write('kubelet.yaml', kubeletConfig());
  write('kube-proxy.yaml', kubeProxyConfig());
  write('Corefile', corefile());
  write('kueue.yaml', kueueConfig());
  write('resolv.conf', `nameserver ${nodeAddress}\n`);
  kueueCertificates();
}
