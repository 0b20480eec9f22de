import { trialArguments, type TrialPlan } from '@fleet/attempt-runner';
import type { V1Job } from '@kubernetes/client-node';
import { installationLabels, keys, labelValue } from '../job/job-labels';
import type { Manifest } from '../job/manifest';
import { runnerFolder } from '../job/pod-parts';
import { podTemplate } from '../job/pod-template';
import { kueueLabels } from '../job/run-job';
import type { Identity, KubernetesSettings, ResourceClass, SourceSettings } from '../settings/kubernetes-settings';

/** One pod of a trial. */
export interface PodOfTrial {
  readonly nodes: ResourceClass;
  readonly source: SourceSettings;
  readonly identity: Identity;
}

/** Resources of a trial pod: few, so that it fits on busy nodes. Whether programs fit is calculated from the nodes. */
const cpus = 0.1;
const memoryMiB = 256;
/** It takes seconds; a hanging driver cannot block it longer than this. */
const trialSeconds = 90;

/** Number of proposals' identities that are tested, in addition to the default. */
const mostIdentities = 4;

/**
 * Every source on CPU nodes; the first one also with the identities of proposals, and on GPU nodes if there are any.
 */
export const podsOfTrial = ({ sources, classes, identity }: KubernetesSettings): readonly PodOfTrial[] => {
  const others = new Map(
    Object.values(identity.proposals).map((one) => [`${String(one.uid)}:${String(one.gid)}`, one]),
  );
  others.delete(`${String(identity.default.uid)}:${String(identity.default.gid)}`);
  return [
    ...sources.map((source): PodOfTrial => ({ nodes: 'cpu', source, identity: identity.default })),
    ...sources
      .slice(0, 1)
      .flatMap((source) => [
        ...[...others.values()]
          .slice(0, mostIdentities)
          .map((one): PodOfTrial => ({ nodes: 'cpu', source, identity: one })),
        ...(classes.gpu === undefined ? [] : [{ nodes: 'gpu', source, identity: identity.default } as const]),
      ]),
  ];
};

/** The Job of a trial, from the same template as a program's. */
export const trialJob = (
  name: string,
  { nodes, source, identity }: PodOfTrial,
  plan: TrialPlan,
  trial: { readonly id: string; readonly patienceSeconds: number; readonly settings: KubernetesSettings },
): Manifest<V1Job> => {
  const { settings } = trial;
  const labels = {
    ...installationLabels(settings.installation),
    [keys.trial]: labelValue(trial.id),
    [keys.class]: nodes,
  };
  const queue = kueueLabels(nodes, 'standard', settings);
  const deadlineSeconds = trial.patienceSeconds + trialSeconds;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: settings.namespace,
      labels: { ...labels, ...queue },
      annotations: { [keys.program]: 'The trial' },
    },
    spec: {
      backoffLimit: 0,
      completions: 1,
      parallelism: 1,
      ...(queue !== undefined && { suspend: true }),
      activeDeadlineSeconds: deadlineSeconds,
      ttlSecondsAfterFinished: 600,
      template: podTemplate({
        settings,
        source,
        identity,
        labels,
        deadlineSeconds,
        image: nodes === 'gpu' ? (source.gpuImage ?? source.image) : source.image,
        class: settings.classes[nodes] ?? settings.classes.cpu,
        folder: plan.folder,
        arguments: [`${runnerFolder}/run-trial.js`, ...trialArguments(plan)],
        environment: {},
        cpus,
        memoryMiB,
      }),
    },
  };
};
