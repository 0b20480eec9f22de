// The open programs (docker/open-phenix): installed by their own script into a cache outside the checkout.
import fs from 'node:fs';
import path from 'node:path';
import { answerOf, needDebianPackages, onPath, run } from './commands.mjs';
import { checkout, openProgramsDirectory } from './paths.mjs';
import { SetupProblem, step } from './progress.mjs';

const pythons = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python3.9'];
const suits = 'import sys, venv, ensurepip; sys.exit(0 if (3, 9) <= sys.version_info[:2] <= (3, 13) else 1)';

const suitablePython = () =>
  pythons
    .map((name) => onPath([name]))
    .find((found) => found !== undefined && answerOf(found, ['-c', suits]) !== undefined);

async function ensurePython() {
  if (suitablePython() !== undefined) return;
  await needDebianPackages(
    ['python3', 'python3-venv'],
    'Python 3.9 to 3.13 with its venv module is needed for the open programs.',
  );
  if (suitablePython() === undefined)
    throw new SetupProblem(
      'No Python from 3.9 to 3.13 with venv was found, even after installing python3-venv.',
      'Put one on PATH.',
    );
}

/** A licensed PHENIX that the executor will use before anything else: its refine, or undefined. */
export function licensedPhenix() {
  const configured = process.env.PHENIX_DIR;
  if (configured)
    return onPath(['phenix.refine'], [`${configured}/bin`, `${configured}/build/bin`].join(path.delimiter));
  const found = onPath(['phenix.refine']);
  return found !== undefined && !fs.realpathSync(found).startsWith(openProgramsDirectory) ? found : undefined;
}

async function ensureTestTools() {
  const python = path.join(openProgramsDirectory, 'venv', 'bin', 'python');
  if (answerOf(python, ['-c', 'import pytest']) !== undefined) return;
  const pins = path.join(checkout, 'docker', 'open-phenix', 'requirements-test.txt');
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', pins], {
    what: 'pip install pytest',
  });
}

/** Installs the open programs, with their test tools where asked; a second call with nothing changed returns at once. */
export async function ensureOpenPrograms({ forTests = false } = {}) {
  const installer = path.join(checkout, 'docker', 'open-phenix', 'install.sh');
  await ensurePython();
  await step('open programs (first time: about 1.1 GB, a minute or two)', async () => {
    await run('bash', [installer, openProgramsDirectory], { what: 'docker/open-phenix/install.sh' });
    if (forTests) await ensureTestTools();
    return { note: openProgramsDirectory };
  });
}
