// How a script begins and ends: its options, --help, its exit code, and what is ended when the user interrupts it.
import { parseArgs } from 'node:util';
import { shieldCommands } from './commands.mjs';
import { SetupProblem, report } from './progress.mjs';

let interrupted = false;

/** Whether the user has interrupted this script, so that it ends what it started. */
export const isInterrupted = () => interrupted;

async function interrupt({ stopping, tearDown }, values) {
  if (interrupted) return void process.stderr.write(`\nStill stopping: ${stopping}. This ends by itself.\n`);
  interrupted = true;
  // A terminal sends every Ctrl-C to all of its processes, so a second one would end the commands of `tearDown`.
  shieldCommands();
  process.stderr.write(`\nStopping: ${stopping} …\n`);
  try {
    await tearDown({ ...values, keep: false });
  } catch (error) {
    report(error);
  }
  process.exit(130);
}

function parsed({ call, options, allowPositionals }) {
  try {
    return parseArgs({ options: { ...options, help: { type: 'boolean', default: false } }, allowPositionals });
  } catch (error) {
    throw new SetupProblem(error.message, `${call} --help`);
  }
}

async function runScript(script) {
  const { usage, isComplete = () => true, work, tearDown } = script;
  const { values, positionals } = parsed(script);
  if (values.help || !isComplete(values, positionals)) {
    process.stdout.write(usage);
    return values.help ? 0 : 2;
  }
  if (tearDown === undefined) return work(values, positionals);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void interrupt(script, values));
  try {
    return await work(values, positionals);
  } finally {
    if (!interrupted) await tearDown(values);
  }
}

/**
 * Runs a script and sets its exit code.
 * - `call`: how it is called, without options. `usage`: what --help prints
 * - `options`, `allowPositionals`: as `parseArgs` takes them, without --help
 * - `isComplete(values, positionals)`: if false, the usage is printed and the exit code is 2
 * - `work(values, positionals)`: returns the exit code, or nothing for 0
 * - `tearDown(values)`: ends what `work` started, after it, or when the user interrupts it: then --keep does not hold, and the exit code
 *   is 130. `stopping` says what it does
 * - `codeOf(error)`: the exit code of an error, 1 by default
 */
export function command(script) {
  const { codeOf = () => 1 } = script;
  runScript(script).then(
    (code) => {
      if (!interrupted) process.exitCode = code;
    },
    (error) => {
      if (interrupted) return;
      report(error);
      process.exitCode = codeOf(error);
    },
  );
}
