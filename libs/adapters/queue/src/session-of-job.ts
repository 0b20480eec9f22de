import { isFault } from '@fleet/contracts/faults';
import { isNewerPayload, parsePayload } from './parse-payload';

/** The session that a job wakes, and its version. Undefined for a payload that is invalid, or of a newer release. */
export const sessionOfJob = (
  data: unknown,
): { readonly sessionId: string; readonly sessionVersion: number } | undefined => {
  try {
    const { sessionId, sessionVersion } = parsePayload(data);
    return { sessionId, sessionVersion };
  } catch (error) {
    if (isFault(error) || isNewerPayload(error)) return undefined;
    throw error;
  }
};
