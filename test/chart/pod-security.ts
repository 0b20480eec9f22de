import type { V1Container, V1PodSpec, V1SecurityContext, V1Volume } from '@kubernetes/client-node';
import type { RenderedPod } from './chart-command';

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** Each condition that does not hold, in words. */
const unmet = (conditions: Readonly<Record<string, boolean | undefined>>): readonly string[] =>
  Object.keys(conditions).filter((words) => conditions[words] !== true);

const problemsOfContext = (context: V1SecurityContext | undefined): readonly string[] =>
  unmet({
    'may gain privileges': context?.allowPrivilegeEscalation === false,
    'has a writable root': context?.readOnlyRootFilesystem,
    'keeps capabilities': context?.capabilities?.drop?.includes('ALL'),
    'adds capabilities': context?.capabilities?.add === undefined,
  });

const problemsOfContainer = ({ name, securityContext, resources }: V1Container): readonly string[] =>
  [
    ...problemsOfContext(securityContext),
    ...unmet({
      'has no memory request': resources?.requests?.memory !== undefined,
      'has no memory limit': resources?.limits?.memory !== undefined,
    }),
  ].map((words) => `${name} ${words}`);

const problemsOfPod = ({ securityContext, hostNetwork, hostPID, hostIPC }: V1PodSpec): readonly string[] =>
  unmet({
    'may run as root': securityContext?.runAsNonRoot,
    'has no uid of its own': (securityContext?.runAsUser ?? 0) > 0,
    'has no seccomp profile': securityContext?.seccompProfile?.type === 'RuntimeDefault',
    'is in a namespace of the node': [hostNetwork, hostPID, hostIPC].every((shared) => shared !== true),
  });

const problemsOfVolumes = (volumes: readonly V1Volume[]): readonly string[] =>
  volumes
    .filter((volume) => !Object.keys(volume).some((key) => allowedVolumes.includes(key)))
    .map(({ name }) => `volume ${name} is of a kind that is refused`);

/**
 * What Pod Security "restricted" would refuse (https://kubernetes.io/docs/concepts/security/pod-security-standards/), and what the
 * chart promises beyond it: a read-only root, a uid that is said, memory limits.
 */
export const restrictedProblems = ({ spec }: RenderedPod): readonly string[] => [
  ...problemsOfPod(spec),
  ...problemsOfVolumes(spec.volumes ?? []),
  ...[...(spec.initContainers ?? []), ...spec.containers].flatMap(problemsOfContainer),
];
