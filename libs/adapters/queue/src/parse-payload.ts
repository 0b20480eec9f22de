import { Fault } from '@fleet/contracts/faults';
import { stepPayloadSchema, type StepPayload } from '@fleet/contracts/queues';
import { mistakesIn } from '@fleet/contracts/schema';

/** The newest payload version that this worker supports. */
const PAYLOAD_VERSION = 1;

/** Thrown for a job or a payload of a newer release: it must wait for a worker that supports it. */
export class NewerPayload extends Error {
  override readonly name = 'NewerPayload';
}

export const isNewerPayload = (error: unknown): error is NewerPayload =>
  error instanceof Error && error.name === 'NewerPayload';

/**
 * Validates the payload of a job from Redis.
 * @throws Fault `queue.bad_payload` (bug: a retry is useless)
 * @throws NewerPayload
 */
export const parsePayload = (data: unknown): StepPayload => {
  const version: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'version') : undefined;
  if (typeof version === 'number' && version > PAYLOAD_VERSION)
    throw new NewerPayload(`payload version ${String(version)} is newer than ${String(PAYLOAD_VERSION)}`);
  const problems = mistakesIn(stepPayloadSchema, data, { at: 'payload' });
  if (problems.length === 0) return data as StepPayload;
  const list = problems.map(({ field, reason }) => `${field} ${reason}`).join('; ');
  throw new Fault('queue.bad_payload', 'bug', `the payload is not valid: ${list}`, { problems });
};
