import type { Priority } from '@fleet/contracts/launches';
import type { AttemptResources } from '@fleet/contracts/sessions';

export type ResourceClass = AttemptResources['class'];

/** A volume of the cluster and its mount path; exactly one of `claim`, `nfs` and `hostPath`. */
export interface VolumeSettings {
  /** Absolute; the same in all pods of the fleet, so that paths in records are valid everywhere. */
  readonly mountPath: string;
  readonly claim?: string;
  readonly nfs?: { readonly server: string; readonly path: string };
  readonly hostPath?: string;
  /** A relative folder inside the volume. */
  readonly subPath?: string;
}

/** One installation of programs: an image, possibly with a software volume. */
export interface SourceSettings {
  readonly name: string;
  readonly image: string;
  readonly gpuImage?: string;
  /** Whether the image contains the runner, or an init container copies it. */
  readonly runner: 'baked' | 'copied';
  readonly phenixDir?: string;
  readonly openPhenixDir?: string;
}

interface TolerationSettings {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** A kind of node. */
export interface ClassSettings {
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly TolerationSettings[];
  readonly runtimeClassName?: string;
  readonly priorityClassName?: string;
  /** Requests and limits in addition to cpu and memory. */
  readonly resources: Readonly<Record<string, string>>;
  /** 0: no limit. */
  readonly maxRunning: number;
}

/** The user and groups of a program. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
  readonly supplementalGroups: readonly number[];
}

/** The settings file with defaults applied; `kubernetes-settings.schema.json` describes each field. */
export interface KubernetesSettings {
  readonly namespace: string;
  readonly installation: string;
  readonly sources: readonly SourceSettings[];
  readonly runnerImage: string;
  readonly imagePullPolicy: 'Always' | 'IfNotPresent' | 'Never';
  readonly imagePullSecrets: readonly string[];
  readonly volumes: {
    readonly work: VolumeSettings;
    readonly data: readonly VolumeSettings[];
    readonly software: readonly VolumeSettings[];
  };
  readonly classes: { readonly cpu: ClassSettings; readonly gpu?: ClassSettings };
  readonly memoryClassesMiB: readonly number[];
  readonly limits: { readonly maxRunning: number; readonly maxRunningPerProposal: number };
  /** `host:port` that programs must reach, for the doctor. */
  readonly mustReach: readonly string[];
  readonly gpuWaitSeconds: number;
  readonly pendingLimitSeconds: number;
  readonly imagePullLimitSeconds: number;
  readonly identity: {
    readonly fleetGid: number;
    readonly default: Identity;
    readonly proposals: Readonly<Record<string, Identity>>;
    readonly ofFolder: string;
  };
  readonly kueue: {
    readonly queue: string;
    readonly priorityClass: string;
    /** Replaces `priorityClass`, by the priority of the session. */
    readonly priorityClasses: Readonly<Partial<Record<Priority, string>>>;
    readonly queues: Readonly<Partial<Record<ResourceClass, string>>>;
  };
  readonly api: {
    readonly requestsPerSecond: number;
    readonly burst: number;
    readonly relistSeconds: number;
    readonly watch: boolean;
  };
  readonly ttlSecondsAfterFinished: number;
  readonly resultGraceSeconds: number;
}

/** The LocalQueue of Kueue for a class; undefined without Kueue. */
export const queueOf = ({ kueue }: KubernetesSettings, resourceClass: ResourceClass): string | undefined =>
  kueue.queues[resourceClass] || kueue.queue || undefined;

/** Kueue's WorkloadPriorityClass for the programs of a session; undefined if none is configured. */
export const workloadPriorityOf = ({ kueue }: KubernetesSettings, priority: Priority): string | undefined =>
  kueue.priorityClasses[priority] || kueue.priorityClass || undefined;
