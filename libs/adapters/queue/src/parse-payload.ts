import { Fault, type StepPayload } from '@fleet/contracts';

/** The newest layout this worker understands. */
const PAYLOAD_VERSION = 1;

const sessionId = /^[0-9a-hjkmnp-tv-z]{26}$/;

/** What each field of a payload must be. Checked by hand: this runs in every step, and a validator's metadata costs ten times as much. */
const rules: {
  readonly [Field in keyof StepPayload]: { readonly must: string; readonly holds: (value: unknown) => boolean };
} = {
  version: { must: `be ${String(PAYLOAD_VERSION)}`, holds: (value) => value === PAYLOAD_VERSION },
  sessionId: {
    must: 'be a lower-case ULID',
    holds: (value) => typeof value === 'string' && sessionId.test(value),
  },
  sessionVersion: {
    must: 'be a whole number from 1',
    holds: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 1,
  },
};

/** Thrown for a job or a payload of a newer release: it has to wait for a worker that understands it. */
export class NewerPayload extends Error {
  override readonly name = 'NewerPayload';
}

export const isNewerPayload = (error: unknown): error is NewerPayload =>
  error instanceof Error && error.name === 'NewerPayload';

/**
 * The payload of a job as it leaves Redis, checked.
 * @throws Fault `queue.bad_payload` (bug: trying again is useless)
 * @throws NewerPayload
 */
export const parsePayload = (data: unknown): StepPayload => {
  if (typeof data !== 'object' || data === null) throw badPayload(['not an object']);
  const fields = data as Readonly<Record<string, unknown>>;
  if (typeof fields.version === 'number' && fields.version > PAYLOAD_VERSION)
    throw new NewerPayload(`payload version ${String(fields.version)} is newer than ${String(PAYLOAD_VERSION)}`);
  const problems = [
    ...Object.entries(rules).flatMap(([field, { must, holds }]) =>
      holds(fields[field]) ? [] : [`${field} must ${must}`],
    ),
    ...Object.keys(fields).flatMap((field) => (Object.hasOwn(rules, field) ? [] : [`${field} is not a field of it`])),
  ];
  if (problems.length > 0) throw badPayload(problems);
  return data as StepPayload;
};

const badPayload = (reasons: readonly string[]): Fault =>
  new Fault('queue.bad_payload', 'bug', `the payload is not valid: ${reasons.join('; ')}`);
