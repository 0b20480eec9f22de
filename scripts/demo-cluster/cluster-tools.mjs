// kubectl and helm for the demo: with one kubeconfig, called by their full paths.
import path from 'node:path';
import { binDirectory } from '../cluster/recipe.mjs';
import { onPath, run } from '../setup/commands.mjs';
import { checkout } from '../setup/paths.mjs';
import { SetupProblem } from '../setup/progress.mjs';

const clusterScript = path.join(checkout, 'scripts', 'cluster.mjs');

/** The tools for one cluster: {kubectl(...args), helm(...args), objects(kinds, ...args), program(name), env}. */
export function toolsOf(kubeconfig) {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const searchPath = [binDirectory, process.env.PATH].join(path.delimiter);
  const program = (name) => {
    const found = onPath([name], searchPath);
    if (found === undefined) throw new SetupProblem(`${name} is not here.`, 'npm run cluster:up builds it.');
    return found;
  };
  const kubectl = (...args) => run(program('kubectl'), args, { env, what: `kubectl ${args[0]}` });
  // Helm prints the output of its hooks on standard error.
  const helm = (...args) => run(program('helm'), args, { env, all: true, what: `helm ${args[0]}` });
  const objects = async (kinds, ...args) =>
    JSON.parse((await kubectl('get', kinds, '--output=json', '--ignore-not-found', ...args)) || '{"items":[]}').items;
  return { kubectl, helm, objects, program, env };
}

/** Runs one command of the cluster's own script. */
export const cluster = (...args) =>
  run(process.execPath, [clusterScript, ...args], { what: `cluster ${args[0]}` }).then((text) => text.trim());
