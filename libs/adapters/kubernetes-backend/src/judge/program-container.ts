import { programContainer } from '../job/pod-parts';
import type { SeenContainer, SeenPod } from '../watch/seen-objects';

/** The container that our program runs in, by its name: a cluster may put others into a pod, before it and beside it. */
export const mainOf = ({ containers }: SeenPod): SeenContainer | undefined =>
  containers.find(({ init, name }) => !init && name === programContainer);

export const isOver = ({ phase }: SeenPod): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Nothing of ours runs in it any more; what the cluster has put beside it may. */
export const hasRun = (pod: SeenPod): boolean => isOver(pod) || mainOf(pod)?.state === 'terminated';

export const isRunning = (pod: SeenPod): boolean => !isOver(pod) && mainOf(pod)?.state === 'running';
