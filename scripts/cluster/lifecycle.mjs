// The whole cluster: up, down, and one part at a time.
import fs from 'node:fs';
import { isAlive } from '../setup/processes.mjs';
import { SetupProblem, step } from '../setup/progress.mjs';
import { ensureBinaries, ensureOnDemand, readyNames } from './binaries.mjs';
import { makeCertificates } from './certificates.mjs';
import { makeCgroups, readKernelSettings, removeCgroups, restoreKernelSettings } from './host-settings.mjs';
import { imagesOfNode, loadImage, loadPauseImage, tagImageOfNode } from './images.mjs';
import { apiPort, inRun, kubeconfigFile, runDirectory } from './layout.mjs';
import { deregisterKeda, prepareKeda, registerKeda } from './keda.mjs';
import { deregisterKueue, prepareKueue, registerKueue } from './kueue.mjs';
import { deregisterMetricsServer, registerMetricsServer } from './metrics-server.mjs';
import { closeNamespaces, openNamespaces } from './namespaces.mjs';
import { writeNodeFiles } from './node-files.mjs';
import { addFakeNodes, countNodes, removeFakeNodes, untilNamespaceIsServed, untilNodeIsReady } from './objects.mjs';
import { conditionOf, isWell, launchPart, stopPart, untilWell } from './part-control.mjs';
import { partNames, parts } from './parts.mjs';
import { cacheDirectory, versions } from './recipe.mjs';
import { ensureRequirements, needRoot } from './requirements.mjs';
import { isUp, readState, runningState, withClusterLock, writeState } from './state.mjs';

/** The parts that `up` starts: those on demand come with the first call that needs them. */
const wantedParts = (state) =>
  partNames.filter((name) => (state.node || !parts[name].node) && (!parts[name].onDemand || state.parts[name]));

async function openCluster({ node, partArguments }) {
  fs.mkdirSync(inRun('log'), { recursive: true });
  await makeCertificates();
  writeNodeFiles();
  const state = { node, arguments: partArguments, kernelSettings: readKernelSettings(), parts: {} };
  writeState(state); // before anything outside the directory changes, so that `down` can put it back
  makeCgroups();
  await openNamespaces(state);
  return state;
}

/** What a part needs from the API server before it starts, and what others need once it is well. */
const before = { kueue: prepareKueue, keda: prepareKeda };
const after = {
  containerd: loadPauseImage,
  kueue: registerKueue,
  keda: registerKeda,
  'metrics-server': registerMetricsServer,
};
/** What a part on demand leaves behind unless it is taken back while it still runs. */
const farewell = {
  kwok: removeFakeNodes,
  kueue: deregisterKueue,
  keda: deregisterKeda,
  'metrics-server': deregisterMetricsServer,
};

/** Builds the programs of parts that `up` does not build for. Before the cluster's lock is taken: it may take long. */
async function ensurePrograms(names) {
  for (const program of new Set(names.flatMap((name) => parts[name]?.programs ?? []))) await ensureOnDemand(program);
}

async function launch(state, name) {
  await before[name]?.(state);
  await launchPart(state, name);
}

async function settle(state, name) {
  await untilWell(state, name);
  await after[name]?.(state);
}

/** Launched one after the other; then all get ready side by side. */
async function launchAndWait(state, names) {
  for (const name of names) await launch(state, name);
  await Promise.all(names.map((name) => settle(state, name)));
}

/** The API server, its store and the container runtime first: everything else needs them. */
async function startAll(state) {
  const first = ['etcd', 'apiserver', 'doorway', ...(state.node ? ['containerd'] : [])];
  await step('Start the API server', async () => {
    await launchAndWait(state, first);
    return {};
  });
  await step('Start the rest', async () => {
    await launchAndWait(
      state,
      wantedParts(state).filter((name) => !first.includes(name)),
    );
    if (state.node) await untilNodeIsReady();
    await untilNamespaceIsServed();
    return {};
  });
}

/**
 * Starts whatever of the cluster is not running. node: false leaves out the real node and what it needs. partArguments: more
 * arguments for a part, by its name; they count when the cluster is new.
 */
export async function up({ node = true, partArguments = {} } = {}) {
  await ensureRequirements({ node });
  await ensureBinaries();
  await ensurePrograms(Object.keys(readState()?.parts ?? {}));
  await withClusterLock(async () => {
    const known = readState();
    if (known !== undefined && !isUp(known)) await removeEverything(known);
    const state = isUp(known) ? known : await openCluster({ node, partArguments });
    state.node ||= node;
    await startAll(state);
  });
  return kubeconfigFile;
}

async function removeEverything(state) {
  await closeNamespaces(state);
  await removeCgroups();
  restoreKernelSettings(state.kernelSettings);
  fs.rmSync(runDirectory, { recursive: true, force: true });
}

/** Ends everything that `up` began and removes its files. Nothing to do is fine. */
export async function down() {
  needRoot();
  await withClusterLock(async () => {
    const state = readState();
    if (state !== undefined) await removeEverything(state);
    else fs.rmSync(runDirectory, { recursive: true, force: true });
  });
}

/** A part needs those before it. Unknown names come first and are refused. */
const inOrder = (names) => names.toSorted((one, other) => partNames.indexOf(one) - partNames.indexOf(other));

/** Starts or thaws parts, and waits until each is well. */
export async function startParts(names) {
  await ensurePrograms(names);
  await withClusterLock(async () => {
    const state = runningState();
    for (const name of inOrder(names)) await launchAndWait(state, [name]);
  });
}

/** Ends parts with a signal, SIGKILL unless told otherwise; SIGSTOP freezes them. */
export function stopParts(names, signal) {
  return withClusterLock(async () => {
    const state = runningState();
    for (const name of names) await stopPart(state, name, signal);
  });
}

/** Takes parts on demand away, with all that came with them: the cluster is as it was before their start. */
export function removeParts(names) {
  const unfit = names.find((name) => farewell[name] === undefined);
  if (unfit !== undefined)
    throw new SetupProblem(`"${unfit}" cannot be removed.`, `These can: ${Object.keys(farewell).join(', ')}`);
  return withClusterLock(async () => {
    const state = runningState();
    for (const name of names.filter((each) => state.parts[each] !== undefined)) {
      await launchAndWait(state, [name]);
      await farewell[name]();
      await stopPart(state, name);
      for (const each of [name, ...(parts[name].companions ?? [])]) delete state.parts[each];
      writeState(state);
    }
  });
}

function stateWithContainers() {
  const state = runningState();
  if (!isAlive(state.parts.containerd)) throw new SetupProblem('containerd does not run.');
  return state;
}

/** Imports image archives into the node's containerd. */
export async function load(files) {
  const state = stateWithContainers();
  for (const file of files) await loadImage(state, file);
}

/**
 * Gives the node the names of images {reference, id} whose content it has under whatever name; gives those that it has not. What is
 * there already is not imported again: a gigabyte takes a minute.
 */
export async function nameThoseOnNode(images) {
  const state = stateWithContainers();
  const known = await imagesOfNode(state);
  for (const { reference, id } of images) {
    const same = [...known].find(([, other]) => other === id)?.[0];
    if (same !== undefined && known.get(reference) !== id) await tagImageOfNode(state, same, reference);
  }
  return images.filter(({ id }) => ![...known.values()].includes(id));
}

/** Adds kwok's nodes, and starts kwok if need be. */
export async function fakeNodes(count, gpus) {
  await startParts(['kwok']);
  await addFakeNodes(count, gpus);
}

export const noFakeNodes = () => removeFakeNodes();

/** What there is: {up, kubeconfig, network (a file by which nsenter enters it), parts: {name: {condition, well, pid}}, nodes, versions, cache}. */
export async function status() {
  const state = readState();
  const common = { versions, cache: cacheDirectory, readyBinaries: readyNames() };
  if (!isUp(state)) return { up: false, ...common };
  const names = partNames.filter((name) => state.parts[name] !== undefined);
  const entries = await Promise.all(
    names.map(async (name) => {
      const condition = conditionOf(state, name);
      return [name, { condition, well: await isWell(state, name, 1), pid: state.parts[name].pid }];
    }),
  );
  return {
    up: true,
    kubeconfig: kubeconfigFile,
    server: `https://127.0.0.1:${apiPort}`,
    logs: inRun('log'),
    network: `/proc/${state.anchor.pid}/ns/net`,
    parts: Object.fromEntries(entries),
    nodes: countNodes(),
    ...common,
  };
}
