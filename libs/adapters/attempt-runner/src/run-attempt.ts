/**
 * A program of its own: `node run-attempt.js [--umask 0007] [--copy-output] <running folder> <published folder>`.
 *
 * One supervisor stands over one attempt: detached from the executor that started it, or as the first process of a
 * container, so that the program, its limits and the record of its end outlive any restart of the executor. It uses
 * nothing but Node itself and files of this package, and takes the program's environment from its own (see
 * `attemptEnvironment`). Exit codes: `attemptExitCodes`. As the first process of a container it takes every process there
 * for the program's; what remains of orphans that ended stays in the process table until then, for Node collects its own
 * children alone.
 *
 * --umask          of all that is written, octal; also opens to the group, at the end, what the program kept to itself
 * --copy-output    copies the program's log to standard output
 */
import { parseArgs } from 'node:util';
import { attemptExitCodes } from './run-attempt-command';
import { Supervision } from './supervisor/supervision';

const { values, positionals } = parseArgs({
  options: { umask: { type: 'string' }, 'copy-output': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [running, published] = positionals;
if (running === undefined || published === undefined) {
  throw new Error('usage: run-attempt [--umask 0007] [--copy-output] RUNNING PUBLISHED');
}
if (values.umask !== undefined) process.umask(values.umask);

// What is said on standard error is a comfort: a full disk there, or nobody who reads, costs no program.
process.stderr.on('error', () => undefined);

const supervision = new Supervision(
  { running, published },
  { copyOutput: values['copy-output'], shareWithGroup: values.umask !== undefined },
);
// A terminal that goes away is no reason to end a program that runs for hours.
process.on('SIGHUP', () => undefined);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    supervision.requestStop();
  });
}
supervision.run().then(
  (end) => process.exit(attemptExitCodes[end]),
  (error: unknown) => {
    console.error(error);
    process.exit(attemptExitCodes.failed);
  },
);
