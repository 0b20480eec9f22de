import { storeCalls } from '@fleet/ports';

/**
 * Replies of a Redis that is temporarily unavailable, or has revoked a permission since the start (the readiness probe
 * reports it, and work waits); any other error reply is a bug. Before version 7 a script's error wraps them: `ERR Error
 * running script (call to f_…): @user_script:2: -READONLY You can't …`.
 */
const passing =
  /(?:^|: -)(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|NOREPLICAS|UNBLOCKED|NOPERM)\b/;

/** Makes a Redis call with the faults of `storeCalls`. */
export const reachingStore = storeCalls(
  (cause) => cause instanceof Error && cause.name === 'ReplyError' && !passing.test(cause.message),
);
