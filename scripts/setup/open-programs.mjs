// The open programs (docker/open-phenix): their own script installs them into a cache outside the checkout.
import fs from 'node:fs';
import path from 'node:path';
import { answerOf, needDebianPackages, onPath, run } from './commands.mjs';
import { checkout, openProgramsDirectory } from './paths.mjs';
import { SetupProblem, step } from './progress.mjs';

const kit = path.join(checkout, 'docker', 'open-phenix');
const installer = path.join(kit, 'install.sh');
const needed = 'Python 3.10, 3.11, 3.12 or 3.13 with its venv module';

/** A Python of a supported version, or undefined. */
export const suitablePython = () => answerOf('bash', [installer, '--python']);

/** Installs a Python if that needs no password. */
export async function ensurePython() {
  if (suitablePython() !== undefined) return;
  await needDebianPackages(['python3', 'python3-venv'], `${needed} is needed.`);
  if (suitablePython() === undefined)
    throw new SetupProblem(
      `No ${needed} was found, even after installing python3 and python3-venv.`,
      'Put one on PATH, or name it: PYTHON=/path/to/python3',
    );
}

/** The phenix.refine of a licensed PHENIX, which the executor prefers over the open programs, or undefined. */
export function licensedPhenix() {
  const configured = process.env.PHENIX_DIR;
  if (configured)
    return onPath(['phenix.refine'], [`${configured}/bin`, `${configured}/build/bin`].join(path.delimiter));
  const found = onPath(['phenix.refine']);
  return found !== undefined && !fs.realpathSync(found).startsWith(openProgramsDirectory) ? found : undefined;
}

async function ensureTestTools() {
  const python = path.join(openProgramsDirectory, 'venv', 'bin', 'python');
  if (answerOf(python, ['-c', 'import pytest, xdist']) !== undefined) return;
  const pins = path.join(kit, 'requirements-test.txt');
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', pins], {
    what: 'pip install of the test tools',
  });
}

/** Installs the open programs, and their test tools on request; a second call with nothing changed returns at once. */
export async function ensureOpenPrograms({ forTests = false } = {}) {
  await ensurePython();
  await step('open programs (first time: about 2.3 GB, a minute or two)', async () => {
    await run('bash', [installer, openProgramsDirectory], { what: 'docker/open-phenix/install.sh' });
    if (forTests) await ensureTestTools();
    return { note: openProgramsDirectory };
  });
}
