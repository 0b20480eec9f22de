import type { SessionView } from '@fleet/contracts';
import { isCliError, type CliError } from '../cli-error';
import type { GatewayClient } from '../client/gateway-client';
import { sendSubmission } from '../client/send-submission';
import type { SpoolEntry } from './spool-entry';

/**
 * What came of sending an entry. `away`: nobody can say what the gateway makes of it (it is away, busy, or does not know who asks), and the
 * next one would meet the same.
 */
export type Tried =
  | { readonly outcome: 'sent'; readonly session: SessionView }
  | { readonly outcome: 'refused'; readonly error: CliError }
  | { readonly outcome: 'away'; readonly error: CliError };

/** Refusals that say nothing about the submission: log in first, ask again later. */
const passing: ReadonlySet<unknown> = new Set([401, 404, 408, 425, 429]);

/** Whether sending the same again can never end otherwise. */
const isForGood = ({ document }: CliError): boolean => {
  const status = document['status'];
  return typeof status === 'number' && status >= 400 && status < 500 && !passing.has(status);
};

/** Sends an entry; the spool stays as it is. */
export const tryEntry = async (entry: SpoolEntry, client: GatewayClient, signal?: AbortSignal): Promise<Tried> => {
  try {
    return { outcome: 'sent', session: await sendSubmission(client, entry, signal) };
  } catch (error) {
    if (!isCliError(error)) throw error;
    return { outcome: isForGood(error) ? 'refused' : 'away', error };
  }
};
