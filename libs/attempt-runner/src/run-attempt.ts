/**
 * A program of its own: `node run-attempt.js <running folder> <published folder>`.
 *
 * One supervisor stands over one attempt. It is detached from the executor that started it, so that the program, its
 * limits and the record of its end outlive any restart of the executor. It uses nothing but Node itself, and takes the
 * program's environment from its own. Supervisors that lose the claim of an attempt end without doing anything.
 */
import { Supervision } from './supervisor/supervision';

const [, , running, published] = process.argv;
if (running === undefined || published === undefined) throw new Error('usage: run-attempt RUNNING PUBLISHED');

const supervision = new Supervision({ running, published });
// A terminal that goes away is no reason to end a program that runs for hours.
process.on('SIGHUP', () => undefined);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    supervision.tell();
  });
}
supervision.run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
