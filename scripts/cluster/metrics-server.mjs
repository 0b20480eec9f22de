// The real metrics-server outside a pod: it queries the node's kubelet for pod usage, for autoscaling by CPU and for `kubectl top`.
import { deregisterApi, registerApi } from './aggregated-api.mjs';
import { metricsServerPort } from './layout.mjs';

const resourceMetrics = {
  ...{ group: 'metrics.k8s.io', version: 'v1beta1' },
  ...{ service: 'metrics-server', namespace: 'kube-system', port: metricsServerPort },
};

/** Registers it once it answers: from then on the API server forwards queries for pod usage to it. */
export const registerMetricsServer = () => registerApi(resourceMetrics);

export const deregisterMetricsServer = () => deregisterApi(resourceMetrics);
