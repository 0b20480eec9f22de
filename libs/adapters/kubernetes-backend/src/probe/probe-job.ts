import { createHash } from 'node:crypto';
import { probeArguments } from '@fleet/attempt-runner';
import type { V1Job } from '@kubernetes/client-node';
import { installationLabels, keys } from '../job/job-labels';
import type { Manifest } from '../job/manifest';
import { runnerFolder } from '../job/pod-parts';
import { podTemplate } from '../job/pod-template';
import type { KubernetesSettings, SourceSettings } from '../settings/kubernetes-settings';

/** The programs to look for, and the record's path. */
export interface ProbePlan {
  readonly settings: KubernetesSettings;
  readonly source: SourceSettings;
  readonly programs: readonly string[];
  /** Absolute; the only folder that the probe may write to. */
  readonly folder: string;
  /** Absolute; in that folder. */
  readonly out: string;
}

/** Each program of a PHENIX reports its version, from a share that may be slow; seconds. */
const probeSeconds = 600;

/** Identifies an installation: other settings need another probe. */
export const probeHash = (
  { volumes, runnerImage }: KubernetesSettings,
  source: SourceSettings,
  programs: readonly string[],
): string =>
  createHash('sha256')
    .update(JSON.stringify([source, volumes.software, runnerImage, [...programs].sort()]))
    .digest('hex')
    .slice(0, 12);

/** The Job that lists the programs of a source. */
export const probeJob = (name: string, { settings, source, programs, folder, out }: ProbePlan): Manifest<V1Job> => {
  const labels = { ...installationLabels(settings.installation), [keys.probe]: source.name };
  const deadlineSeconds = settings.imagePullLimitSeconds + probeSeconds;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: settings.namespace, labels },
    spec: {
      backoffLimit: 1,
      completions: 1,
      parallelism: 1,
      activeDeadlineSeconds: deadlineSeconds,
      ttlSecondsAfterFinished: 3_600,
      template: podTemplate({
        settings,
        source,
        labels,
        folder,
        deadlineSeconds,
        image: source.image,
        class: settings.classes.cpu,
        identity: settings.identity.default,
        arguments: [
          `${runnerFolder}/probe-programs.js`,
          ...probeArguments(
            {
              programs,
              ...(source.phenixDir !== undefined && { phenixFolder: source.phenixDir }),
              ...(source.openPhenixDir !== undefined && { openPhenixFolder: source.openPhenixDir }),
            },
            out,
          ),
        ],
        environment: {},
        cpus: 1,
        memoryMiB: 2_048,
      }),
    },
  };
};
