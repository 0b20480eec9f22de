import { setTimeout as pause } from 'node:timers/promises';
import type { Sending } from '@fleet/api-client';
import type { SessionView } from '@fleet/contracts/sessions';
import { isLostConnection, type GatewayClient } from './gateway-client';
import { typedBody } from './typed-body';

/** Milliseconds until a submission with a lost response is repeated. */
const resendMs = 500;

/** A submission with a key that makes it safe to repeat. */
export interface KeyedSubmission {
  readonly body: object;
  /** Its `Idempotency-Key`. */
  readonly key: string;
}

/**
 * Sends a request with an idempotency key, and repeats it once if its response got lost: the first one may have
 * arrived.
 * @throws CliError with the exit code
 */
export const sendKeyed = async <T>(
  post: (sending: Sending) => Promise<T>,
  key: string,
  signal: AbortSignal,
): Promise<T> => {
  const sending = { headers: { 'idempotency-key': key }, signal };
  try {
    return await post(sending);
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    await pause(resendMs, undefined, { signal });
    return post(sending);
  }
};

/** @throws CliError with the exit code */
export const sendSubmission = (
  client: GatewayClient,
  { body, key }: KeyedSubmission,
  signal: AbortSignal = client.interrupted,
): Promise<SessionView> => {
  const given = { body: typedBody<'POST /v1/sessions'>(body) };
  return sendKeyed((sending) => client.json('POST /v1/sessions', given, sending), key, signal);
};
