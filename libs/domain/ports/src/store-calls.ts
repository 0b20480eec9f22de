import { Fault, isFault } from '@fleet/contracts/faults';

/** What no client throws: a slip in our own code. */
const isSlip = (cause: unknown): boolean =>
  cause instanceof Error && ['TypeError', 'ReferenceError', 'SyntaxError'].includes(cause.name);

/**
 * Runs calls of a store, which throw Fault `store.unreachable` (transient) or `store.refused` (bug), never an error of its client; our own slips
 * as they are.
 * @param isRefusal whether an error of the client is an answer that says that the call was wrong
 */
export const storeCalls =
  (isRefusal: (cause: unknown) => boolean) =>
  async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (cause) {
      if (isFault(cause) || isSlip(cause)) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      if (isRefusal(cause))
        throw new Fault('store.refused', 'bug', `the session store refused a call: ${reason}`, { cause });
      throw new Fault('store.unreachable', 'transient', `the session store cannot be reached: ${reason}`, { cause });
    }
  };
