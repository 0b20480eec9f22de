import { failureText } from '@fleet/contracts/faults';
import { isoTime } from '@fleet/ports';
import { countEnd } from './count-end';
import { endSession } from './end-session';
import type { SessionStep, StepOfSession } from './session-step';
import type { StepPorts } from './step-ports';

/**
 * After failures in this many consecutive wake-ups a step is no longer woken. Failures are counted and not wake-ups: a session whose program
 * runs for hours is woken four times a minute, and a single failed check must not end it.
 */
const failuresBeforeGivingUp = 4;

/**
 * Records a failure that a retry cannot fix. After repeated wake-ups the session ends with the reason, instead of being woken forever; one
 * that is being cancelled is left to its cancellation.
 */
export const giveUp = async (
  { records, schedule, clock, log, metrics }: StepPorts,
  { job }: Pick<SessionStep, 'job'>,
  { sessionId, sessionVersion }: StepOfSession,
  error: unknown,
): Promise<void> => {
  const head = await records.loadHead(sessionId);
  if (head?.status !== 'running' || head.version !== sessionVersion) return;
  if ((await schedule.countFailure(sessionId, sessionVersion)) < failuresBeforeGivingUp) return;
  const at = isoTime(clock);
  const reason = failureText(error);
  const { cycle } = head;
  const what = `The service could not ${job} cycle ${String(cycle)}: ${reason.replace(/\.$/, '')}.`;
  const detail = `${what} Report the id of this session to its operators, and resume once it is repaired.`;
  const event = { type: 'error', cycle, at, message: detail, data: { job } } as const;
  const end = endSession(head, { reason: 'error', detail, afterCycle: cycle }, at, [event]);
  const moved = await records.advance({ sessionId, fromVersion: sessionVersion, ...end, dueInMs: 0 });
  if (!moved.applied) return;
  log.error({ message: 'gave a session up', sessionId, job, reason });
  if (metrics !== undefined) countEnd(metrics, [], end.to.ended);
};
