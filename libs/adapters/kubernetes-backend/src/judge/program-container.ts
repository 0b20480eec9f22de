import { programContainer } from '../job/pod-parts';
import type { SeenContainer, SeenPod } from '../watch/seen-objects';

/** The program's container, found by its name: a cluster may inject others before and beside it. */
export const mainOf = ({ containers }: SeenPod): SeenContainer | undefined =>
  containers.find(({ init, name }) => !init && name === programContainer);

export const isOver = ({ phase }: SeenPod): boolean => phase === 'Succeeded' || phase === 'Failed';

/** The program's container has ended; injected containers may still run. */
export const hasRun = (pod: SeenPod): boolean => isOver(pod) || mainOf(pod)?.state === 'terminated';

export const isRunning = (pod: SeenPod): boolean => !isOver(pod) && mainOf(pod)?.state === 'running';
