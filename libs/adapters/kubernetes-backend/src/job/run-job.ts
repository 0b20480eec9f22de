import { attemptEnvironment, attemptExitCodes, runAttemptArguments } from '@fleet/attempt-runner';
import { Fault } from '@fleet/contracts/faults';
import type { Priority } from '@fleet/contracts/launches';
import type { RunSpec } from '@fleet/contracts/runs';
import type { V1Job, V1JobSpec } from '@kubernetes/client-node';
import {
  queueOf,
  workloadPriorityOf,
  type ClassSettings,
  type Identity,
  type KubernetesSettings,
  type ResourceClass,
  type SourceSettings,
} from '../settings/kubernetes-settings';
import { jobNameOf, runAnnotations, runLabels } from './job-labels';
import { programContainer, runnerFolder } from './pod-parts';
import { podTemplate } from './pod-template';
import type { Manifest } from './manifest';

/** Memory of the supervisor in addition to its program, in MiB. */
const supervisorMiB = 256;
/**
 * The supervisor enforces the program's limit; the cluster's deadline applies only if the supervisor hangs. Seconds.
 */
const deadlineSlackSeconds = 300;
/** Files of the supervisor are accessible to the group and to no others. */
const umask = '0007';

/**
 * The Job of a run. Deterministic for the same run and settings. @throws Fault `run.source_unknown`,
 * `run.class_unknown`, `run.folder_unusable`
 */
export const runJob = (
  spec: RunSpec,
  specHash: string,
  identity: Identity,
  settings: KubernetesSettings,
): Manifest<V1Job> => {
  const source = sourceOf(spec, settings);
  const labels = runLabels(spec, settings.installation);
  const deadlineSeconds = settings.imagePullLimitSeconds + Math.ceil(spec.limits.wallClock) + deadlineSlackSeconds;
  const template = podTemplate({
    settings,
    source,
    identity,
    labels,
    deadlineSeconds,
    image: spec.resources.class === 'gpu' ? (source.gpuImage ?? source.image) : source.image,
    class: classOf(spec, settings),
    folder: spec.sessionFolder,
    arguments: [`${runnerFolder}/run-attempt.js`, ...runAttemptArguments(spec, { umask, copyOutput: true })],
    environment: attemptEnvironment(spec),
    cpus: spec.resources.cpus,
    memoryMiB: spec.limits.memoryMiB + supervisorMiB,
  });
  const queue = kueueLabels(spec.resources.class, spec.owner.priority, settings);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobNameOf(spec.name),
      namespace: settings.namespace,
      labels: { ...labels, ...queue },
      annotations: runAnnotations(spec, specHash),
    },
    spec: {
      ...onePodOnce,
      ...(queue !== undefined && { suspend: true }),
      // Includes the time in the queue, unlike the pod's own deadline.
      activeDeadlineSeconds: settings.pendingLimitSeconds + deadlineSeconds,
      ttlSecondsAfterFinished: settings.ttlSecondsAfterFinished,
      template,
    },
  };
};

/**
 * One pod at a time. A disrupted pod is replaced. If the program had started, the replacement finds the attempt claimed
 * and ends the Job with its exit code.
 */
const onePodOnce: Omit<Manifest<V1JobSpec>, 'template'> = {
  backoffLimit: 0,
  completions: 1,
  parallelism: 1,
  podReplacementPolicy: 'Failed',
  podFailurePolicy: {
    rules: [
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      {
        action: 'FailJob',
        onExitCodes: { containerName: programContainer, operator: 'In', values: [attemptExitCodes.elsewhere] },
      },
    ],
  },
};

/** Undefined without Kueue. With Kueue a Job is created suspended. */
export const kueueLabels = (
  nodes: ResourceClass,
  priority: Priority,
  settings: KubernetesSettings,
): Readonly<Record<string, string>> | undefined => {
  const queue = queueOf(settings, nodes);
  if (queue === undefined) return undefined;
  const priorityClass = workloadPriorityOf(settings, priority);
  return {
    'kueue.x-k8s.io/queue-name': queue,
    ...(priorityClass !== undefined && { 'kueue.x-k8s.io/priority-class': priorityClass }),
  };
};

const sourceOf = ({ source }: RunSpec, { sources }: KubernetesSettings): SourceSettings => {
  const found = source === undefined ? sources[0] : sources.find((candidate) => candidate.name === source);
  if (found !== undefined) return found;
  throw new Fault('run.source_unknown', 'conflict', `its source ${String(source)} is no longer in the settings`);
};

const classOf = ({ resources }: RunSpec, { classes }: KubernetesSettings): ClassSettings => {
  const found = classes[resources.class];
  if (found !== undefined) return found;
  throw new Fault(
    'run.class_unknown',
    'conflict',
    `it needs nodes of class ${resources.class}, which the settings do not define`,
  );
};
