import { Fault, isFault } from '@fleet/contracts/faults';

/** Errors that no client throws: bugs in our own code. */
const isSlip = (cause: unknown): boolean =>
  cause instanceof Error && ['TypeError', 'ReferenceError', 'SyntaxError'].includes(cause.name);

/**
 * Runs calls of a store and converts errors of its client to Fault `store.unreachable` (transient) or `store.refused` (bug). Our own bugs are
 * rethrown unchanged.
 * @param isRefusal whether an error of the client is a response that rejects the call
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
