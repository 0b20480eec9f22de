// One change at a time.
import { withLock as withFileLock } from '../setup/lock.mjs';

/** Runs `work` while nobody else runs under the same lock file. Throws SetupProblem after `patienceMs`. */
export const withLock = (file, patienceMs, work) =>
  withFileLock(file, { patienceMs, why: 'Another process is busy with the cluster.' }, work);
