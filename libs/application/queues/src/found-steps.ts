import type { DeadCause, DeadStep, DeadStepDetail, StepState } from '@fleet/contracts/queues';
import { isEnded, type Session } from '@fleet/contracts/sessions';
import type { FailedJob, SessionRecords } from '@fleet/ports';
import type { DeadStepFilter } from './read-dead-steps';

/** A dead step, and its jobs: one for each wake-up that failed. */
export interface FoundStep {
  readonly id: string;
  readonly state: StepState;
  /** The oldest first; never empty. */
  readonly jobs: readonly [FailedJob, ...FailedJob[]];
}

const idOf = ({ of, id }: FailedJob): string =>
  of === undefined ? id : `${of.sessionId}-v${String(of.sessionVersion)}`;

const lastOf = ({ jobs }: FoundStep): FailedJob => jobs.at(-1) ?? jobs[0];

/** The part of a reason before the first colon, if it is a name: `knowledge.invalid`, `TypeError`. */
const causeOf = (step: FoundStep): string => /^([A-Za-z_][\w.]*): /.exec(lastOf(step).reason)?.[1] ?? 'other';

/** Whether a session ended directly after that version because its step failed permanently (`giveUp` of the steps). */
const wasGivenUp = ({ status, stop }: Session): boolean => status === 'failed' && stop?.reason === 'error';

const stateOf = async (records: Pick<SessionRecords, 'load' | 'loadHead'>, { of }: FailedJob): Promise<StepState> => {
  if (of === undefined) return 'past';
  const head = await records.loadHead(of.sessionId);
  if (head?.version === of.sessionVersion && !isEnded(head.status)) return 'woken';
  if (head?.version !== of.sessionVersion + 1 || head.status !== 'failed') return 'past';
  const session = await records.load(of.sessionId);
  return session !== undefined && wasGivenUp(session) ? 'given_up' : 'past';
};

/** The dead steps of these jobs, the oldest first. */
export const stepsOf = async (
  records: Pick<SessionRecords, 'load' | 'loadHead'>,
  jobs: readonly FailedJob[],
): Promise<readonly FoundStep[]> => {
  const byStep = new Map<string, [FailedJob, ...FailedJob[]]>();
  for (const job of [...jobs].sort((a, b) => a.failedAt - b.failedAt)) {
    const known = byStep.get(idOf(job));
    if (known === undefined) byStep.set(idOf(job), [job]);
    else known.push(job);
  }
  return Promise.all([...byStep].map(async ([id, of]) => ({ id, jobs: of, state: await stateOf(records, of[0]) })));
};

export const fits = (step: FoundStep, { queue, cause, state }: DeadStepFilter): boolean =>
  (state === undefined ? step.state !== 'past' : step.state === state) &&
  (queue === undefined || step.jobs[0].queue === queue) &&
  (cause === undefined || causeOf(step) === cause);

const timeOf = (ms: number): string => new Date(ms).toISOString();

export const toDeadStep = (step: FoundStep): DeadStep => {
  const [first] = step.jobs;
  const last = lastOf(step);
  return {
    id: step.id,
    queue: first.queue,
    job: first.job,
    state: step.state,
    ...(first.of !== undefined && { sessionId: first.of.sessionId }),
    cause: causeOf(step),
    reason: last.reason.slice(0, 1000),
    failures: step.jobs.length,
    firstAt: timeOf(first.failedAt),
    lastAt: timeOf(last.failedAt),
  };
};

export const toDetail = (step: FoundStep): DeadStepDetail => ({ ...toDeadStep(step), stack: lastOf(step).stack });

/** The number of steps per cause and queue, the largest first. */
export const causesOf = (steps: readonly FoundStep[]): readonly DeadCause[] => {
  const causes = new Map<string, DeadCause>();
  for (const { cause, queue, firstAt } of steps.map(toDeadStep)) {
    const known = causes.get(`${queue} ${cause}`);
    causes.set(`${queue} ${cause}`, {
      cause,
      queue,
      steps: (known?.steps ?? 0) + 1,
      firstAt: known?.firstAt ?? firstAt,
    });
  }
  return [...causes.values()].sort((a, b) => b.steps - a.steps);
};
