import { Fault, isFault } from '@fleet/contracts';

/**
 * Replies of a Redis that is not at its post right now, or no longer permits what it permitted at the start (readiness says it, and work waits);
 * what else Redis answers is a mistake of ours. Before version 7 a script's
 * error wraps them: `ERR Error running script (call to f_…): @user_script:2: -READONLY You can't …`.
 */
const passing =
  /(?:^|: -)(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|NOREPLICAS|UNBLOCKED|NOPERM)\b/;

/** What no client throws: a slip in our own code. */
const isSlip = (cause: unknown): boolean =>
  cause instanceof Error && ['TypeError', 'ReferenceError', 'SyntaxError'].includes(cause.name);

/**
 * Runs a call of the store.
 * @throws Fault `store.unreachable` (transient) or `store.refused` (bug), never an error of the Redis client; our own slips as they are
 */
export const reachingStore = async <T>(act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (cause) {
    if (isFault(cause) || isSlip(cause)) throw cause;
    throw storeFault(cause);
  }
};

const storeFault = (cause: unknown): Fault => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof Error && cause.name === 'ReplyError' && !passing.test(reason))
    return new Fault('store.refused', 'bug', `the session store refused a call: ${reason}`, { cause });
  return new Fault('store.unreachable', 'transient', `the session store cannot be reached: ${reason}`, { cause });
};
