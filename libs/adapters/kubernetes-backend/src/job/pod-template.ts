import type { V1PodTemplateSpec } from '@kubernetes/client-node';
import type { ClassSettings, Identity, KubernetesSettings, SourceSettings } from '../settings/kubernetes-settings';
import { containerSecurity, nodeBinary, podSecurity, podVolumes, programContainer, runnerCopy } from './pod-parts';
import type { Manifest } from './manifest';

/** What differs between pods; the rest is the same for all. */
export interface PodPlan {
  readonly settings: KubernetesSettings;
  readonly source: SourceSettings;
  readonly image: string;
  readonly class: ClassSettings;
  readonly identity: Identity;
  readonly labels: Readonly<Record<string, string>>;
  /** The only folder that it may write to. */
  readonly folder: string;
  /** Arguments of Node. */
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cpus: number;
  readonly memoryMiB: number;
  /** Of the pod, counted from its assignment to a node. */
  readonly deadlineSeconds: number;
}

/** A program has 5 s after SIGTERM. Its supervisor then writes the result and may share many files with the group. */
const graceSeconds = 20;

/** The template of a pod that Pod Security "restricted" admits (unless a volume is a hostPath). */
export const podTemplate = (plan: PodPlan): Manifest<V1PodTemplateSpec> => {
  const { settings, source, class: kind, identity } = plan;
  const { volumes, mounts } = podVolumes(settings, plan.folder);
  const runner = runnerCopy(source, settings);
  const memory = `${String(plan.memoryMiB)}Mi`;
  return {
    metadata: {
      labels: plan.labels,
      // The autoscaler must not remove this node before the program ends: its results would be lost.
      annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' },
    },
    spec: {
      restartPolicy: 'Never',
      enableServiceLinks: false,
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: graceSeconds,
      activeDeadlineSeconds: plan.deadlineSeconds,
      securityContext: podSecurity(identity, settings.identity.fleetGid),
      ...(Object.keys(kind.nodeSelector).length > 0 && { nodeSelector: kind.nodeSelector }),
      ...(kind.tolerations.length > 0 && { tolerations: kind.tolerations.map((toleration) => ({ ...toleration })) }),
      ...(kind.runtimeClassName !== undefined && { runtimeClassName: kind.runtimeClassName }),
      ...(kind.priorityClassName !== undefined && { priorityClassName: kind.priorityClassName }),
      ...(settings.imagePullSecrets.length > 0 && {
        imagePullSecrets: settings.imagePullSecrets.map((name) => ({ name })),
      }),
      ...(runner.initContainers.length > 0 && { initContainers: runner.initContainers }),
      containers: [
        {
          name: programContainer,
          image: plan.image,
          imagePullPolicy: settings.imagePullPolicy,
          command: [nodeBinary],
          args: [...plan.arguments],
          workingDir: '/tmp',
          env: Object.entries(environmentOf(plan)).map(([name, value]) => ({ name, value })),
          resources: {
            requests: { cpu: String(plan.cpus), memory, ...kind.resources },
            limits: { memory, ...kind.resources },
          },
          securityContext: containerSecurity(),
          volumeMounts: [...mounts, ...runner.mounts],
          // Without a result, the pod's status contains the last lines of the log.
          terminationMessagePolicy: 'FallbackToLogsOnError',
        },
      ],
      volumes: [...volumes, ...runner.volumes],
    },
  };
};

/**
 * The uid has no entry in the image's passwd, so home and user names are set, which some programs require (cctbx 2026.9
 * does not start without USER). Thread counts equal the requested processors; otherwise a library would use all of a
 * node's.
 */
const environmentOf = ({ cpus, environment }: PodPlan): Readonly<Record<string, string>> => ({
  HOME: '/tmp',
  USER: 'fleet',
  LOGNAME: 'fleet',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  OMP_NUM_THREADS: String(Math.max(1, Math.floor(cpus))),
  ...environment,
});
