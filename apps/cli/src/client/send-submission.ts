import { setTimeout as pause } from 'node:timers/promises';
import { sessionOf } from '@fleet/api-client';
import type { SessionView } from '@fleet/contracts';
import { isLostConnection, type GatewayClient } from './gateway-client';
import { typedBody } from './typed-body';

/** Milliseconds before a submission whose answer got lost is sent again. */
const resendMs = 500;

/** A submission with the key that makes it safe to repeat. */
export interface KeyedSubmission {
  readonly body: object;
  /** Its `Idempotency-Key`. */
  readonly key: string;
}

/**
 * Sends a submission, and once more where its answer got lost: the first one may have arrived.
 * @throws CliError that carries the exit code
 */
export const sendSubmission = async (
  client: GatewayClient,
  { body, key }: KeyedSubmission,
  signal: AbortSignal = client.interrupted,
): Promise<SessionView> => {
  const given = { body: typedBody<'POST /v1/sessions'>(body) };
  const sending = { headers: { 'idempotency-key': key }, signal };
  const post = async (): Promise<SessionView> => sessionOf(await client.json('POST /v1/sessions', given, sending));
  try {
    return await post();
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    await pause(resendMs, undefined, { signal });
    return post();
  }
};
