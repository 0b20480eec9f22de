// Paths and addresses of the cluster. Every address except `apiPort` exists only inside the cluster's network namespace.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const sources = path.dirname(fileURLToPath(import.meta.url));

/** All files of the running cluster: state, keys, logs, etcd, containers. `down` removes the folder. */
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
/** Ports of the node on which aggregated APIs are served (Kubernetes docs: API aggregation). */
export const kedaAdapterPort = 19444;
export const metricsServerPort = 19445;

/** The node's cgroup in every controller, with its pods below. Another run directory is another cluster with its own cgroup. */
export const cgroupName = path.basename(runDirectory);

export const pauseImage = 'registry.local/pause:1';

export const kubeconfigFile = inRun('admin.kubeconfig');
export const containerdSocket = inRun('containerd.sock');

/** The tools from Debian packages, and Debian's folder of CNI plugins. */
export const cniPlugins = '/usr/lib/cni';

/**
 * Directories that are hard-coded in the node's programs. Inside the cluster's mount namespace each is a separate empty tmpfs, so the
 * cluster never touches a containerd or Docker of the host and leaves nothing behind.
 */
export const privateDirectories = ['/run', '/var/lib/cni', '/var/lib/kubelet', '/var/log/containers', '/etc/kueue'];
