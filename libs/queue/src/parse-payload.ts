import { Fault, type StepPayload } from '@fleet/contracts';
import { Equals, IsInt, Matches, Min, validateSync } from 'class-validator';

/** A step's payload as it is checked where it leaves Redis. */
export class StepPayloadDto implements StepPayload {
  /** The newest layout this worker understands. */
  static readonly version = 1;

  @Equals(1)
  readonly version: 1;

  @Matches(/^[0-9a-hjkmnp-tv-z]{26}$/, { message: 'sessionId must be a lower-case ULID' })
  readonly sessionId: string;

  @IsInt()
  @Min(1)
  readonly sessionVersion: number;
}

interface PayloadClass<T extends object> {
  new (): T;
  readonly version: number;
}

/** Thrown for a payload of a newer release: the job has to wait for a worker that understands it. */
export class NewerPayload extends Error {
  override readonly name = 'NewerPayload';
}

export const isNewerPayload = (error: unknown): error is NewerPayload =>
  error instanceof Error && error.name === 'NewerPayload';

/**
 * The payload of a job, checked.
 * @throws Fault `queue.bad_payload` (bug: trying again is useless)
 * @throws NewerPayload
 */
export const parsePayload = <T extends object>(type: PayloadClass<T>, data: unknown): T => {
  if (typeof data !== 'object' || data === null) throw badPayload(['not an object']);
  const version: unknown = 'version' in data ? data.version : undefined;
  if (typeof version === 'number' && version > type.version)
    throw new NewerPayload(`payload version ${String(version)} is newer than ${String(type.version)}`);
  const payload = Object.assign(new type(), data);
  const errors = validateSync(payload, { whitelist: true, forbidNonWhitelisted: true });
  if (errors.length > 0) throw badPayload(errors.flatMap((error) => Object.values(error.constraints ?? {})));
  return payload;
};

const badPayload = (reasons: readonly string[]): Fault =>
  new Fault('queue.bad_payload', 'bug', `the payload is not valid: ${reasons.join('; ')}`);
