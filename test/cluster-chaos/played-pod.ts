import type { V1Pod } from '@kubernetes/client-node';
import { dirname } from 'node:path';

/** What the stand-in kubelet needs to know of a pod. */
export interface PlayedPod {
  readonly name: string;
  readonly uid: string;
  readonly node: string;
  readonly job: string;
  /** Its container runs, as far as the API server knows. */
  readonly running: boolean;
  /** Its deletion was asked for. */
  readonly deleted: boolean;
  /** The whole command line of its first container. */
  readonly command: readonly string[];
  readonly container: { readonly name: string; readonly image: string };
}

const namesOf = ({ metadata }: V1Pod): Pick<PlayedPod, 'name' | 'uid' | 'job' | 'deleted'> => ({
  name: metadata?.name ?? '',
  uid: metadata?.uid ?? '',
  job: metadata?.labels?.['batch.kubernetes.io/job-name'] ?? '',
  deleted: metadata?.deletionTimestamp !== undefined,
});

const phaseOf = ({ status }: V1Pod): string => status?.phase ?? '';

export const playedPod = (pod: V1Pod): PlayedPod => {
  const [container] = pod.spec?.containers ?? [];
  if (container === undefined) throw new Error(`pod ${String(pod.metadata?.name)} has no container`);
  const { name, image = '', command = [], args = [] } = container;
  return {
    ...namesOf(pod),
    node: pod.spec?.nodeName ?? '',
    running: phaseOf(pod) === 'Running',
    command: [...command, ...args],
    container: { name, image },
  };
};

/** The folders of the attempt that a pod runs: the runner's last arguments. */
export const foldersOf = ({ name, command }: PlayedPod): { readonly running: string; readonly published: string } => {
  const [running, published] = command.slice(-2);
  if (running === undefined || published === undefined || dirname(running) !== dirname(published))
    throw new Error(`pod ${name} does not run an attempt: ${command.join(' ')}`);
  return { running, published };
};

/** The file that a pod which probes for programs is to write; undefined for another pod. */
export const catalogueOf = ({ command }: PlayedPod): string | undefined =>
  command.includes('--out') ? command[command.indexOf('--out') + 1] : undefined;

/** A pod's status after its only container ended. */
export const endedStatus = (pod: PlayedPod, exitCode: number): object => {
  const now = new Date().toISOString();
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  return {
    status: {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      containerStatuses: [
        {
          name: pod.container.name,
          image: pod.container.image,
          imageID: '',
          ready: false,
          started: false,
          restartCount: 0,
          state: { terminated: { exitCode, reason, startedAt: now, finishedAt: now } },
        },
      ],
    },
  };
};
