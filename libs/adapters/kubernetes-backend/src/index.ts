/** ExecutionBackend that runs programs as Jobs of a Kubernetes cluster. */
export { KubernetesBackend, type KubernetesBackendOptions } from './kubernetes-backend';
export { type Pace } from './pace';
export { kubernetesSettings, type KubernetesSettings } from './settings/kubernetes-settings';
export { loadKubernetesSettings, parseKubernetesSettings } from './settings/load-kubernetes-settings';
