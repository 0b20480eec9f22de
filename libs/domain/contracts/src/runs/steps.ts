import { shortName } from '../sessions/short-name';
import { Queues, type JobName, type QueueName } from '../queues/queues';
import type { SessionHead } from '../sessions/session';

/** The job for each step of a session. */
export type Step = { [Q in QueueName]: { readonly queue: Q; readonly job: JobName<Q> } }[QueueName];

/** The step that a session needs now, or undefined when it has ended. Contains the whole routing of the loop. */
export const stepOf = (head: Pick<SessionHead, 'status' | 'stage'>): Step | undefined => {
  if (head.status === 'cancelling') return { queue: Queues.executions, job: 'cancel' };
  if (head.status !== 'running') return undefined;
  switch (head.stage) {
    case 'deciding':
      return { queue: Queues.decisions, job: 'decide' };
    case 'executing':
      return { queue: Queues.executions, job: 'execute' };
    case 'analysing':
      return { queue: Queues.analyses, job: 'analyse' };
  }
};

/** Job id of a wake-up: the same work has the same id, so adding it twice gives one job. */
export const wakeUpId = (head: Pick<SessionHead, 'id' | 'version' | 'wakeUps'>): string =>
  `${head.id}-v${String(head.version)}-w${String(head.wakeUps)}`;

/** Name of an attempt: of its queue job, its Kubernetes Job and its folder. */
export const attemptName = (sessionId: string, cycle: number, attempt: number): string =>
  `${sessionId}-c${String(cycle).padStart(3, '0')}-a${String(attempt)}`;

/** Parses the name of an attempt; undefined if it is not one. */
export const attemptOfName = (
  name: string,
): { readonly sessionId: string; readonly cycle: number; readonly attempt: number } | undefined => {
  const [, sessionId = '', cycle, attempt] = /^([0-9a-z]{26})-c(\d{3,})-a(\d+)$/.exec(name) ?? [];
  return sessionId === '' ? undefined : { sessionId, cycle: Number(cycle), attempt: Number(attempt) };
};

/** Folder of a cycle inside its session's folder, for example `c003-refine`. */
export const cycleFolder = (cycle: number, program: string): string =>
  `c${String(cycle).padStart(3, '0')}-${shortName(program).replace(/[^a-z0-9_]/gi, '_')}`;
