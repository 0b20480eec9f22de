// The lock that allows one change of the cluster at a time.
import { withLock as withFileLock } from '../setup/lock.mjs';

/** Runs `work` while holding the lock file. Throws SetupProblem after `timeoutMs`. */
export const withLock = (file, timeoutMs, work) =>
  withFileLock(file, { timeoutMs, why: 'Another process is busy with the cluster.' }, work);
