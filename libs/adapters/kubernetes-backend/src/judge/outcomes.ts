import { constants } from 'node:os';
import type { Outcome } from '@fleet/attempt-runner';
import { runnerContainer } from '../job/pod-parts';
import { holds, type SeenCondition, type SeenContainer, type SeenPod } from '../watch/seen-objects';
import { mainOf } from './program-container';

const again = 'It is started again.';
const elsewhere = 'It is started again elsewhere.';

const sentence = (text: string): string => {
  const trimmed = text.trim().replace(/\s+/g, ' ');
  return trimmed === '' || /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
};

/** `because: detail` as one sentence. */
const withDetail = (text: string, detail: string): string =>
  detail.trim() === '' ? `${text}.` : `${text}: ${sentence(detail)}`;

export const jobDeleted = (program: string): Outcome => ({
  kind: 'job_deleted',
  infrastructure: true,
  message: `${program} was ended because its Job was deleted from the cluster.`,
  nextAction: `${again} To end a session, cancel it.`,
});

export const gpuUnavailable = (program: string, seconds: number): Outcome => ({
  kind: 'gpu_unavailable',
  infrastructure: true,
  message: `${program} waited ${seconds} s for a GPU, but none became free.`,
  nextAction: 'It runs on a CPU instead.',
});

export const unschedulable = (program: string, seconds: number, detail: string): Outcome => ({
  kind: 'unschedulable',
  infrastructure: true,
  message: withDetail(`No node of the cluster took ${program} within ${seconds} s`, detail),
  nextAction: 'Ask the administrator to add suitable nodes, or to correct the requirements of its node class.',
});

export const imageUnavailable = (program: string, detail: string): Outcome => ({
  kind: 'image_unavailable',
  infrastructure: true,
  message: withDetail(`The image of ${program} cannot be pulled`, detail),
  nextAction: 'Ask the administrator to check the name of the image, the registry and the pull secret.',
});

export const cannotStart = (program: string, detail: string): Outcome => ({
  kind: 'not_started',
  infrastructure: true,
  message: withDetail(`The container of ${program} could not be started`, detail),
  nextAction: startAdvice(detail),
});

const startAdvice = (detail: string): string => {
  if (/exec format error/i.test(detail)) {
    return 'Ask the administrator for an image built for the processors of the nodes.';
  }
  if (/phenix-fleet/.test(detail) && /no such file|not found/i.test(detail)) {
    return 'The image has no runner: ask the administrator to set "runner: copied" for its source.';
  }
  return 'Ask the administrator to check the image and the volumes of its source.';
};

export const pastDeadline = (program: string): Outcome => ({
  kind: 'wall_clock_limit',
  infrastructure: false,
  message: `${program} was ended by the cluster: it ran longer than the deadline of its pod.`,
  nextAction: 'If it needs more time, ask for a longer limit.',
});

export const quotaTakenBack = (program: string): Outcome => ({
  kind: 'disrupted',
  infrastructure: true,
  message: `${program} was ended because Kueue pre-empted it for other work.`,
  nextAction: 'It is queued again.',
});

export const nodeSilent = (program: string, node: string): Outcome => ({
  kind: 'node_lost',
  infrastructure: true,
  message: `${program} was lost: its node${node === '' ? '' : ` ${node}`} does not answer.`,
  nextAction: elsewhere,
});

const outOfMemory = (program: string): Outcome => ({
  kind: 'memory_limit',
  infrastructure: false,
  message: `${program} was ended by the system: it needed more memory than its pod allows.`,
});

/** Reasons of the condition DisruptionTarget (Kubernetes, "Pod disruption conditions"). */
const disruptions: Readonly<Record<string, readonly [kind: 'disrupted' | 'node_lost', reason: string]>> = {
  PreemptionByScheduler: ['disrupted', 'it was pre-empted by work of higher priority'],
  EvictionByEvictionAPI: ['disrupted', 'its node is being drained'],
  TerminationByKubelet: ['disrupted', 'its node ran out of resources or is shutting down'],
  DeletionByTaintManager: ['node_lost', 'its node does not respond or no longer accepts it'],
  DeletionByPodGC: ['node_lost', 'its node has left the cluster'],
};

/** Reasons in a pod's status with which a node evicts or rejects it. */
const turnedOut = new Set([
  'Evicted',
  'Shutdown',
  'NodeShutdown',
  'Terminated',
  'Preempting',
  'UnexpectedAdmissionError',
  'NodeAffinity',
  'OutOfcpu',
  'OutOfmemory',
  'OutOfpods',
  'OutOfnvidia.com/gpu',
]);

/** How a pod was disrupted; undefined if it was not. */
export const disruptionOf = (program: string, pod: SeenPod): Outcome | undefined => {
  if (pod.reason === 'NodeLost') return nodeSilent(program, pod.node);
  const condition = holds(pod.conditions, 'DisruptionTarget');
  if (condition === undefined) {
    return turnedOut.has(pod.reason) ? takenAway(program, 'disrupted', 'its node evicted it', pod.message) : undefined;
  }
  const [kind, reason] = disruptions[condition.reason] ?? ['disrupted', 'the cluster evicted it'];
  return takenAway(program, kind, reason, detailOf(condition, pod));
};

/** The node's message is more specific than the condition's; both use terms for experts. */
const detailOf = (condition: SeenCondition, pod: SeenPod): string =>
  condition.reason === 'TerminationByKubelet' ? pod.message || condition.message : '';

const takenAway = (program: string, kind: 'disrupted' | 'node_lost', reason: string, detail: string): Outcome => ({
  kind,
  infrastructure: true,
  message: withDetail(`${program} was ended because ${reason}`, detail),
  nextAction: elsewhere,
});

/** Reasons of a container that never ran. */
const startFailures = new Set([
  'StartError',
  'ContainerCannotRun',
  'CreateContainerError',
  'CreateContainerConfigError',
]);

const signalNames = new Map<number, string>(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/**
 * The ending of a pod whose supervisor wrote no result. `takenExit`: its exit code if the attempt was already claimed.
 */
export const outcomeOfPod = (program: string, pod: SeenPod, takenExit: number): Outcome => {
  const own = disruptionOf(program, pod);
  if (own !== undefined) return own;
  if (pod.reason === 'DeadlineExceeded') return pastDeadline(program);
  const main = mainOf(pod);
  if (main?.state !== 'terminated') {
    // An exit code of a sidecar does not matter.
    const broken = pod.containers.find(({ init, state, exitCode }) => init && state === 'terminated' && exitCode !== 0);
    if (broken !== undefined && main?.state !== 'running') return cannotStart(program, whyNotInitialised(broken));
    return lost(program, withDetail('its pod ended without a message', pod.message), again);
  }
  return outcomeOfContainer(program, main, takenExit);
};

const whyNotInitialised = ({ name, message, reason }: SeenContainer): string => {
  const what =
    name === runnerContainer
      ? 'the runner could not be copied into its pod.'
      : `container ${name}, which the cluster runs before it, failed.`;
  return `${what} ${message || reason}`;
};

const outcomeOfContainer = (program: string, main: SeenContainer, takenExit: number): Outcome => {
  const { exitCode = 0 } = main;
  if (main.reason === 'OOMKilled') return outOfMemory(program);
  if (startFailures.has(main.reason) || /exec format error/i.test(main.message)) {
    return cannotStart(program, main.message || main.reason);
  }
  if (exitCode === takenExit) {
    return lost(program, 'another pod of its Job had started it, and is gone without a result.', again);
  }
  if (exitCode === 0) return resultUnseen(program);
  return supervisorFailed(program, exitCode, main.signal);
};

const supervisorFailed = (program: string, exitCode: number, number?: number): Outcome => {
  const signal = signalNames.get(number ?? (exitCode > 128 ? exitCode - 128 : 0));
  if (signal === undefined) {
    return { ...lost(program, `its supervisor failed with exit code ${exitCode}.`, again), exitCode };
  }
  return {
    kind: 'signalled',
    exitCode,
    signal,
    infrastructure: true,
    message: `${program} and its supervisor were killed from outside (${signal}).`,
    nextAction: again,
  };
};

const lost = (program: string, why: string, nextAction: string): Outcome => ({
  kind: 'lost',
  infrastructure: true,
  message: `${program} was lost: ${why}`,
  nextAction,
});

/** Its supervisor has written a result: otherwise its exit code would differ. */
export const resultUnseen = (program: string): Outcome =>
  lost(
    program,
    'its pod ended normally, but its result is missing.',
    'Ask the administrator to check that the executor and the Jobs see the same work volume.',
  );

export const podGone = (program: string, detail: string): Outcome =>
  lost(program, withDetail('its pod is gone without a result', detail), again);
