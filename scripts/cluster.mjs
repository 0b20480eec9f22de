#!/usr/bin/env node
// npm run cluster: a real Kubernetes on this machine, for development and tests; scripts/cluster/README.md describes how it is built.
import {
  down,
  fakeNodes,
  load,
  noFakeNodes,
  removeParts,
  startParts,
  status,
  stopParts,
  up,
} from './cluster/lifecycle.mjs';
import { kubeconfigFile } from './cluster/layout.mjs';
import { partNames } from './cluster/parts.mjs';
import { binDirectory } from './cluster/recipe.mjs';
import { ensureBinaries, ensureDefinitions, ensureOnDemand } from './cluster/binaries.mjs';
import { command } from './setup/command.mjs';
import { systemPath } from './setup/commands.mjs';
import { SetupProblem } from './setup/progress.mjs';

const usage = `node scripts/cluster.mjs COMMAND (npm run cluster:up, cluster:down, cluster:status)

  up                 builds what is missing (10 to 20 min the first time, then seconds) and starts what does not run;
                     prints the path of the kubeconfig
  down               ends everything and leaves nothing behind but the cached binaries
  status             each part, its condition and health; --json for programs; exit code 3 when the cluster is not up
  start PART...      starts or thaws parts and waits until they are well
  stop PART...       ends parts with SIGKILL, or with --signal NAME; SIGSTOP freezes, start thaws
  remove PART...     ends kwok, kueue, keda or metrics-server and takes back what came with it: fake nodes; queues, definitions, webhooks
  nodes N            adds N fake nodes (kwok), each with --gpus G; nodes 0 removes them all
  load ARCHIVE...    imports images (buildah push IMAGE docker-archive:FILE:NAME:TAG)
  env                prints export lines: KUBECONFIG, and PATH with kubectl, helm, kubeconform, promtool
  build [PROGRAM]    builds what is missing, and nothing else; or a program that no cluster needs (jaeger), and prints its path
  definitions        prints the files with the resource definitions of Kueue, KEDA, the Gateway API and the
                     Prometheus Operator, for tests; those that are missing are downloaded

  --without-node     up: control plane only, no containers; fake nodes work
  --arg PART=ARG     up: one more argument for a part of a new cluster; may be repeated
  --signal NAME      stop: the signal, SIGKILL unless given
  --gpus G           nodes: nvidia.com/gpu of each
  --json             status: as JSON

Parts: ${partNames.join(', ')}
KUBECONFIG names a cluster you have: it serves instead. KUBEBUILDER_ASSETS names a folder with ready binaries.
FLEET_CLUSTER_DIR (files of the running cluster) and FLEET_CLUSTER_PORT (API server on 127.0.0.1) have defaults.

Examples:
  npm run cluster:up && eval "$(node scripts/cluster.mjs env)" && kubectl get nodes
  node scripts/cluster.mjs nodes 20 --gpus 4
  node scripts/cluster.mjs stop apiserver && sleep 10 && node scripts/cluster.mjs start apiserver
  node scripts/cluster.mjs stop etcd --signal SIGSTOP
  node scripts/cluster.mjs start kueue
  node scripts/cluster.mjs start keda metrics-server
  node scripts/cluster.mjs up --arg apiserver=--default-unreachable-toleration-seconds=5
`;

const options = {
  'without-node': { type: 'boolean', default: false },
  arg: { type: 'string', multiple: true, default: [] },
  signal: { type: 'string' },
  gpus: { type: 'string', default: '0' },
  json: { type: 'boolean', default: false },
};

/** A cluster that this script did not create. */
const givenKubeconfig = () =>
  process.env.KUBECONFIG === kubeconfigFile ? undefined : process.env.KUBECONFIG || undefined;

/** A command that changes the cluster's parts; refused for a cluster that this script did not create. */
const ownOnly = (command) => (values, rest) => {
  const given = givenKubeconfig();
  if (given === undefined) return command(values, rest);
  throw new SetupProblem(
    `KUBECONFIG=${given} is set: that cluster serves, and its parts are not ours.`,
    'unset KUBECONFIG',
  );
};

function wholeNumber(text, what) {
  if (/^\d{1,5}$/.test(text ?? '')) return Number(text);
  throw new SetupProblem(`${what} needs a whole number.`, 'node scripts/cluster.mjs --help');
}

function someOf(names, what) {
  if (names.length > 0) return names;
  throw new SetupProblem(`${what} is missing.`, 'node scripts/cluster.mjs --help');
}

function byPart(pairs) {
  const all = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const part = pair.slice(0, Math.max(at, 0));
    if (!partNames.includes(part))
      throw new SetupProblem(`--arg ${pair}: PART=ARGUMENT is needed.`, `Parts: ${partNames.join(', ')}`);
    (all[part] ??= []).push(pair.slice(at + 1));
  }
  return all;
}

function describe(answer) {
  const lines = Object.entries(answer.parts).map(
    ([name, { condition, well, pid }]) =>
      `  ${name.padEnd(20)}${condition}${condition === 'running' ? `, ${well ? 'well' : 'not well'}, pid ${pid}` : ''}`,
  );
  return [
    `Kubernetes ${answer.versions.kubernetes} at ${answer.server}`,
    `  kubeconfig ${answer.kubeconfig}`,
    `  logs       ${answer.logs}`,
    `  nodes      ${answer.nodes.real} real, ${answer.nodes.fake} fake, ready`,
    ...lines,
  ].join('\n');
}

async function printStatus({ json }) {
  const given = givenKubeconfig();
  if (given !== undefined) process.stderr.write(`KUBECONFIG=${given} is set: that cluster serves. Ours:\n`);
  const answer = await status();
  const text = answer.up ? describe(answer) : 'The cluster is not up.';
  process.stdout.write(`${json ? JSON.stringify(answer, null, 2) : text}\n`);
  return answer.up ? 0 : 3;
}

async function start({ 'without-node': withoutNode, arg }) {
  const given = givenKubeconfig();
  if (given !== undefined) process.stderr.write('KUBECONFIG is set: that cluster serves, nothing is started.\n');
  const file = given ?? (await up({ node: !withoutNode, partArguments: byPart(arg) }));
  process.stdout.write(`${file}\n`);
}

async function changeNodes({ gpus }, [count]) {
  const number = wholeNumber(count, 'nodes');
  if (number === 0) await noFakeNodes();
  else await fakeNodes(number, wholeNumber(gpus, '--gpus'));
}

async function build(_, [program]) {
  if (program === undefined) await ensureBinaries();
  else process.stdout.write(`${await ensureOnDemand(program)}\n`);
}

const commands = {
  up: start,
  down,
  status: printStatus,
  start: ownOnly((_, names) => startParts(someOf(names, 'The name of a part'))),
  stop: ownOnly(({ signal }, names) => stopParts(someOf(names, 'The name of a part'), signal)),
  remove: ownOnly((_, names) => removeParts(someOf(names, 'The name of a part'))),
  nodes: ownOnly(changeNodes),
  load: ownOnly((_, files) => load(someOf(files, 'The archive'))),
  env: () =>
    void process.stdout.write(
      `export KUBECONFIG=${givenKubeconfig() ?? kubeconfigFile}\nexport PATH=${binDirectory}:$PATH\n`,
    ),
  build,
  definitions: async () => void process.stdout.write(`${(await ensureDefinitions()).join('\n')}\n`),
};

function work(values, [name, ...rest]) {
  process.env.PATH = systemPath(); // for administration tools such as nft, debootstrap and chroot
  if (!Object.hasOwn(commands, name))
    throw new SetupProblem(`There is no command "${name}".`, 'node scripts/cluster.mjs --help');
  return commands[name](values, rest);
}

command({
  call: 'node scripts/cluster.mjs',
  usage,
  options,
  allowPositionals: true,
  isComplete: (_, [name]) => name !== undefined,
  work,
});
