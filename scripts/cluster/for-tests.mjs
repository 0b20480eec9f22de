// The cluster of a test run: its binaries and images are built first, then it starts, the tests run on it, and it is removed.
import path from 'node:path';
import { run } from '../setup/commands.mjs';
import { checkout } from '../setup/paths.mjs';
import { step } from '../setup/progress.mjs';
import { ensureBinaries } from './binaries.mjs';
import { status } from './lifecycle.mjs';
import { binDirectory } from './recipe.mjs';
import { ensureRequirements } from './requirements.mjs';

const script = (name, ...args) =>
  run(process.execPath, [path.join(checkout, 'scripts', name), ...args], { what: name });

/** Builds the binaries first, because their compiler uses the whole machine, then the images. A foreign cluster needs only the tools. */
async function prepare(isForeign) {
  if (!isForeign) await ensureRequirements({ node: true });
  await ensureBinaries();
  if (!isForeign) await step('images of the project', () => script('images.mjs', 'build').then(() => ({})));
}

/**
 * Runs `work` with a cluster: KUBECONFIG and PATH of this process name it and its tools, and the images of the project are built. A
 * cluster that was up before, or that KUBECONFIG names, stays; one started here ends also on SIGINT and SIGTERM.
 * @throws SetupProblem if no cluster is available
 */
export async function withCluster(work) {
  const isForeign = Boolean(process.env.KUBECONFIG);
  await prepare(isForeign);
  const wasUp = isForeign || (await status()).up;
  const env = { ...process.env };
  const end = async () => {
    if (wasUp) return;
    Object.assign(process.env, { KUBECONFIG: '' });
    await step('cluster down', () => script('cluster.mjs', 'down').then(() => ({})));
  };
  const interrupt = () => void end().finally(() => process.exit(130));
  const signals = ['SIGINT', 'SIGTERM'];
  for (const signal of signals) process.once(signal, interrupt);
  try {
    const kubeconfig = await step('cluster up', async () => ({ value: (await script('cluster.mjs', 'up')).trim() }));
    Object.assign(process.env, { KUBECONFIG: kubeconfig, PATH: `${binDirectory}${path.delimiter}${env.PATH}` });
    return await work();
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupt);
    await end();
    process.env.PATH = env.PATH;
    if (!isForeign) delete process.env.KUBECONFIG;
  }
}
