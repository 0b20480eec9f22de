/**
 * Executable: `node run-attempt.js [--umask 0007] [--copy-output] <running folder> <published folder>`.
 *
 * Supervises one attempt: detached from the executor that started it, or as the first process of a container. The
 * program, its limits and its result therefore outlive a restart of the executor. Uses only Node and files of this
 * package, and takes the program's environment from its own (see `attemptEnvironment`). Exit codes: `attemptExitCodes`.
 * As the first process of a container it treats every process there as the program's. Zombies of orphans stay in the
 * process table until the end, because Node reaps only its own children.
 *
 * --umask          umask for all that is written, octal; at the end also opens private files to the group
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

// Standard error is optional: neither a full disk behind it nor a missing reader may end a program.
process.stderr.on('error', () => undefined);

const supervision = new Supervision(
  { running, published },
  { copyOutput: values['copy-output'], shareWithGroup: values.umask !== undefined },
);
// A closed terminal must not end a program that runs for hours.
process.on('SIGHUP', () => undefined);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => supervision.requestStop());
}
supervision.run().then(
  (end) => process.exit(attemptExitCodes[end]),
  (error: unknown) => {
    console.error(error);
    process.exit(attemptExitCodes.failed);
  },
);
