// Where the cluster's files lie and which addresses it has. Every address but `apiPort` exists inside its own network namespace only.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const sources = path.dirname(fileURLToPath(import.meta.url));

/** Everything of the running cluster: state, keys, logs, etcd, containers. Removed by `down`. */
export const runDirectory = path.resolve(process.env.FLEET_CLUSTER_DIR || '/var/lib/phenix-fleet-cluster');

export const inRun = (...names) => path.join(runDirectory, ...names);

/** The API server: this port on 127.0.0.1, on the host (through the doorway) and inside alike, so one kubeconfig serves both. */
export const apiPort = process.env.FLEET_CLUSTER_PORT || '16443';

export const nodeName = 'node-a';
export const nodeAddress = '10.243.0.1';
export const podNetwork = '10.244.0.0/22';
export const serviceNetwork = '10.96.0.0/16';
export const apiServiceAddress = '10.96.0.1';

export const kueueWebhookPort = 19443;
/** Ports of the node on which APIs are served that belong to the API server's own (docs: API aggregation). */
export const kedaAdapterPort = 19444;
export const metricsServerPort = 19445;

/** The node's share of every cgroup controller; its pods lie below. Another run directory is another cluster, with its own. */
export const cgroupName = path.basename(runDirectory);

export const pauseImage = 'registry.local/pause:1';

export const kubeconfigFile = inRun('admin.kubeconfig');
export const containerdSocket = inRun('containerd.sock');

/** What Debian's packages give, and where it puts the CNI plugins. */
export const cniPlugins = '/usr/lib/cni';

/**
 * Directories that the node's programs have built in. Inside the cluster's mount namespace each is an empty tmpfs of its own, so
 * that a containerd or Docker of the host is not touched and nothing is left behind.
 */
export const privateDirectories = ['/run', '/var/lib/cni', '/var/lib/kubelet', '/var/log/containers', '/etc/kueue'];
