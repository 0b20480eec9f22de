// The real metrics-server outside of a pod: it asks the node's kubelet what pods use, for autoscalers by CPU and for `kubectl top`.
import { deregisterApi, registerApi } from './aggregated-api.mjs';
import { metricsServerPort } from './layout.mjs';

const resourceMetrics = {
  ...{ group: 'metrics.k8s.io', version: 'v1beta1' },
  ...{ service: 'metrics-server', namespace: 'kube-system', port: metricsServerPort },
};

/** Once it answers: from now on the API server passes questions for what pods use on to it. */
export const registerMetricsServer = () => registerApi(resourceMetrics);

export const deregisterMetricsServer = () => deregisterApi(resourceMetrics);
