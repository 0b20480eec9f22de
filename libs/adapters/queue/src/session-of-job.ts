import { isFault } from '@fleet/contracts/faults';
import { isNewerPayload, parsePayload } from './parse-payload';

/** Which session a job wakes, and at which version. Undefined for a payload that no release wrote, or only a newer one. */
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
