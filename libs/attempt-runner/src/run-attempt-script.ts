import { join } from 'node:path';

/** The compiled `run-attempt` of this package. */
export const runAttemptScript = join(__dirname, 'run-attempt.js');
