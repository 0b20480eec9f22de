import { join, relative, sep } from 'node:path';
import { Fault } from '@fleet/contracts/faults';
import type {
  V1Container,
  V1PodSecurityContext,
  V1SecurityContext,
  V1Volume,
  V1VolumeMount,
} from '@kubernetes/client-node';
import type { Identity, KubernetesSettings, SourceSettings, VolumeSettings } from '../settings/kubernetes-settings';
import type { Manifest } from './manifest';

/** Folder of the runner (supervisor and probe) in images that have it, and the target of the copy in others. */
export const runnerFolder = '/opt/phenix-fleet';
export const nodeBinary = `${runnerFolder}/node`;

/** The container that a program runs in. */
export const programContainer = 'program';
/** The init container that copies the runner. */
export const runnerContainer = 'runner';

/** Size limit of /tmp, which is on the node's disk; a program's own temporary files are on the work volume. */
const temporarySpace = '2Gi';

export interface PodVolumes {
  readonly volumes: readonly Manifest<V1Volume>[];
  readonly mounts: readonly Manifest<V1VolumeMount>[];
}

const volumeSource = (
  { claim, nfs, hostPath }: VolumeSettings,
  readOnly: boolean,
): Omit<Manifest<V1Volume>, 'name'> => {
  if (claim !== undefined) return { persistentVolumeClaim: { claimName: claim, ...(readOnly && { readOnly }) } };
  if (nfs !== undefined) return { nfs: { ...nfs, ...(readOnly && { readOnly }) } };
  return { hostPath: { path: hostPath ?? '', type: 'Directory' } };
};

/** Mounts the only folder of the work volume that a pod sees, under its usual path. */
const workMount = (work: VolumeSettings, folder: string): Manifest<V1VolumeMount> => {
  const below = relative(work.mountPath, folder);
  if (below === '' || below.startsWith('..') || below.startsWith(sep)) {
    throw new Fault(
      'run.folder_unusable',
      'caller',
      `${folder} is not below ${work.mountPath}, where the work volume is mounted`,
    );
  }
  return { name: 'work', mountPath: folder, subPath: join(work.subPath ?? '', below) };
};

/** Volumes of a pod that may write to one folder of the work volume and read data and software. */
export const podVolumes = ({ volumes }: KubernetesSettings, folder: string): PodVolumes => {
  const readOnly = [
    ...volumes.data.map((volume, index) => ({ name: `data-${String(index)}`, volume })),
    ...volumes.software.map((volume, index) => ({ name: `software-${String(index)}`, volume })),
  ];
  return {
    volumes: [
      { name: 'work', ...volumeSource(volumes.work, false) },
      ...readOnly.map(({ name, volume }) => ({ name, ...volumeSource(volume, true) })),
      { name: 'tmp', emptyDir: { sizeLimit: temporarySpace } },
    ],
    mounts: [
      workMount(volumes.work, folder),
      ...readOnly.map(({ name, volume: { mountPath, subPath } }) => ({
        name,
        mountPath,
        readOnly: true,
        ...(subPath !== undefined && { subPath }),
      })),
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
};

/** The container settings that Pod Security "restricted" requires, with a read-only root file system. */
export const containerSecurity = (): Manifest<V1SecurityContext> => ({
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
});

export const podSecurity = (identity: Identity, fleetGid: number): Manifest<V1PodSecurityContext> => ({
  runAsNonRoot: true,
  runAsUser: identity.uid,
  runAsGroup: identity.gid,
  supplementalGroups: [...new Set([fleetGid, ...identity.supplementalGroups])],
  seccompProfile: { type: 'RuntimeDefault' },
});

/** The init container that copies the runner into a pod; none if the image has the runner. */
export const runnerCopy = (
  source: SourceSettings,
  { runnerImage, imagePullPolicy }: KubernetesSettings,
): {
  readonly initContainers: readonly Manifest<V1Container>[];
  readonly volumes: readonly Manifest<V1Volume>[];
  readonly mounts: readonly Manifest<V1VolumeMount>[];
} => {
  if (source.runner === 'baked') return { initContainers: [], volumes: [], mounts: [] };
  const small = { cpu: '100m', memory: '128Mi' };
  return {
    initContainers: [
      {
        name: runnerContainer,
        image: runnerImage,
        imagePullPolicy,
        command: ['/bin/cp', '-R', `${runnerFolder}/.`, '/runner'],
        resources: { requests: small, limits: { memory: small.memory } },
        securityContext: containerSecurity(),
        volumeMounts: [{ name: 'runner', mountPath: '/runner' }],
        terminationMessagePolicy: 'FallbackToLogsOnError',
      },
    ],
    volumes: [{ name: 'runner', emptyDir: { sizeLimit: '512Mi' } }],
    mounts: [{ name: 'runner', mountPath: runnerFolder, readOnly: true }],
  };
};
