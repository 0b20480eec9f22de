/** ExecutionBackend that runs programs as Jobs of a Kubernetes cluster. */
export { KubernetesBackend, type KubernetesBackendOptions } from './kubernetes-backend';
export { type Pace } from './pace';
export {
  type ClassSettings,
  type Identity,
  type KubernetesSettings,
  type ResourceClass,
  type SourceSettings,
  type VolumeSettings,
} from './settings/kubernetes-settings';
export { loadKubernetesSettings } from './settings/load-kubernetes-settings';
