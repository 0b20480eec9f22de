// The lifecycle of the cluster: up, down, and single parts.
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

/** The parts that `up` starts; parts on demand start with the first call that needs them. */
const wantedParts = (state) =>
  partNames.filter((name) => (state.node || !parts[name].node) && (!parts[name].onDemand || state.parts[name]));

async function openCluster({ node, partArguments }) {
  fs.mkdirSync(inRun('log'), { recursive: true });
  await makeCertificates();
  writeNodeFiles();
  const state = { node, arguments: partArguments, kernelSettings: readKernelSettings(), parts: {} };
  writeState(state); // before anything outside the directory changes, so that `down` can restore it
  makeCgroups();
  await openNamespaces(state);
  return state;
}

/** Objects that a part needs in the API server before it starts, and registrations once it is healthy. */
const before = { kueue: prepareKueue, keda: prepareKeda };
const after = {
  containerd: loadPauseImage,
  kueue: registerKueue,
  keda: registerKeda,
  'metrics-server': registerMetricsServer,
};
/** Clean-up of a part on demand, which must happen while it still runs. */
const farewell = {
  kwok: removeFakeNodes,
  kueue: deregisterKueue,
  keda: deregisterKeda,
  'metrics-server': deregisterMetricsServer,
};

/** Builds the programs of parts that `up` does not build, before the cluster's lock is taken, because a build may take long. */
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

/** Launches parts one after the other, then waits for all of them in parallel. */
async function launchAndWait(state, names) {
  for (const name of names) await launch(state, name);
  await Promise.all(names.map((name) => settle(state, name)));
}

/** Starts the API server, its store and the container runtime first, because everything else needs them. */
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
 * Starts every part of the cluster that is not running. node: false leaves out the real node and its parts. partArguments: more
 * arguments for a part, by its name; they apply only to a new cluster.
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

/** Ends everything that `up` started and removes its files; idempotent. */
export async function down() {
  needRoot();
  await withClusterLock(async () => {
    const state = readState();
    if (state !== undefined) await removeEverything(state);
    else fs.rmSync(runDirectory, { recursive: true, force: true });
  });
}

/** Sorts part names by their start order, because a part needs those before it. Unknown names come first and are refused. */
const inOrder = (names) => names.toSorted((one, other) => partNames.indexOf(one) - partNames.indexOf(other));

/** Starts or thaws parts and waits until each is healthy. */
export async function startParts(names) {
  await ensurePrograms(names);
  await withClusterLock(async () => {
    const state = runningState();
    for (const name of inOrder(names)) await launchAndWait(state, [name]);
  });
}

/** Ends parts with a signal, SIGKILL by default; SIGSTOP freezes them. */
export function stopParts(names, signal) {
  return withClusterLock(async () => {
    const state = runningState();
    for (const name of names) await stopPart(state, name, signal);
  });
}

/** Removes parts on demand with everything they created, so that the cluster is as before their start. */
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
 * Tags images {reference, id} whose content the node already has under another name, and returns the missing ones. An existing image is
 * not imported again, because a gigabyte takes a minute.
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

/** Adds kwok's nodes, and starts kwok if necessary. */
export async function fakeNodes(count, gpus) {
  await startParts(['kwok']);
  await addFakeNodes(count, gpus);
}

export const noFakeNodes = () => removeFakeNodes();

/** The cluster's status: {up, kubeconfig, network (a file for nsenter), parts: {name: {condition, well, pid}}, nodes, versions, cache}. */
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
