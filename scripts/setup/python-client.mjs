// The Python environment for the tests of the Python client, outside the checkout.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { answerOf, run } from './commands.mjs';
import { withLock } from './lock.mjs';
import { ensurePython, suitablePython } from './open-programs.mjs';
import { cacheRoot, checkout } from './paths.mjs';
import { step } from './progress.mjs';

const pins = path.join(checkout, 'libs', 'python-client', 'requirements-test.txt');

/** Other pins give another folder, so two checkouts never change each other's packages. */
const folder = path.join(
  cacheRoot,
  `python-client-${createHash('sha256').update(fs.readFileSync(pins)).digest('hex').slice(0, 12)}`,
);

const python = path.join(folder, 'bin', 'python');
/** Written last: the installation is complete when this file exists. */
const complete = path.join(folder, 'complete');

/** The Python for the tests of the Python client, or undefined if it is not installed. */
export const clientPython = () => (fs.existsSync(complete) && answerOf(python, ['--version']) ? python : undefined);

async function install() {
  if (clientPython() !== undefined) return;
  fs.rmSync(folder, { recursive: true, force: true });
  await run(suitablePython(), ['-m', 'venv', folder], { what: 'python -m venv' });
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', pins], {
    what: 'pip install for the Python client',
  });
  fs.writeFileSync(complete, '');
}

/** Installs it; a second call with the same pins returns at once. */
export async function ensurePythonClient() {
  await ensurePython();
  await step('Python of the client', async () => {
    await withLock(`${folder}.lock`, { timeoutMs: 300_000, why: 'Another run installs it.' }, install);
    return { note: folder };
  });
}
