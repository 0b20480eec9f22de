import { storeCalls } from '@fleet/ports';

/**
 * Replies of a Redis that is not at its post right now, or no longer permits what it permitted at the start (readiness says it, and work waits);
 * what else Redis answers is a mistake of ours. Before version 7 a script's
 * error wraps them: `ERR Error running script (call to f_…): @user_script:2: -READONLY You can't …`.
 */
const passing =
  /(?:^|: -)(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|NOREPLICAS|UNBLOCKED|NOPERM)\b/;

/** Runs a call of this Redis, as `storeCalls` says. */
export const reachingStore = storeCalls(
  (cause) => cause instanceof Error && cause.name === 'ReplyError' && !passing.test(cause.message),
);
