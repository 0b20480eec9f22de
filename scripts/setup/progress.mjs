// Progress output of a set-up: one line for each step, with its duration.

const since = (start) => `${((Date.now() - start) / 1000).toFixed(1)} s`;

/** Runs one step of a set-up and reports it. The step may return a note (a string) that ends its line. */
export async function step(title, work) {
  const start = Date.now();
  process.stderr.write(`· ${title} … `);
  try {
    const { value, note } = await work();
    process.stderr.write(`${note ?? 'done'} (${since(start)})\n`);
    return value;
  } catch (error) {
    process.stderr.write(`failed (${since(start)})\n`);
    throw error;
  }
}

/** A problem that the user can solve: printed without a stack. */
export class SetupProblem extends Error {
  constructor(message, fix) {
    super(fix === undefined ? message : `${message}\n  ${fix}`);
    this.name = 'SetupProblem';
  }
}

/** Prints an error of a script. */
export function report(error) {
  if (error instanceof SetupProblem) process.stderr.write(`\n${error.message}\n`);
  else process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
