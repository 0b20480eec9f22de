// The cluster runs in its own namespaces (mount, network, process): the host neither sees it nor keeps anything of it. When their first
// process, the anchor, is killed, the kernel ends everything inside, pods included.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { run } from '../setup/commands.mjs';
import { identify, isAlive, stopAll } from '../setup/processes.mjs';
import { SetupProblem } from '../setup/progress.mjs';
import { binary } from './binaries.mjs';
import { inRun, nodeAddress, privateDirectories, serviceNetwork } from './layout.mjs';
import { writeState } from './state.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const namespaceKinds = ['--mount', '--net', '--pid', '--ipc'];

function parentOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined; // the process has just ended
    throw error;
  }
}

const childOf = (parent) =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => parentOf(pid) === parent);

/** Starts a process that outlives this script, its output appended to a log. */
export function spawnDetached(command, args, { log, env } = {}) {
  const output = fs.openSync(log, 'a');
  const child = spawn(command, args, {
    cwd: inRun(),
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
    detached: true,
  });
  fs.closeSync(output);
  child.unref();
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve(identify(child.pid)));
  });
}

/**
 * The real process behind unshare or nsenter, which stay as parent of what they start in another process namespace. Returns the child as
 * {pid, start, wrapper}.
 */
async function onlyChild(wrapper, log) {
  while (isAlive(wrapper)) {
    const pid = childOf(wrapper.pid);
    const known = pid === undefined ? undefined : identify(pid);
    if (known?.start !== undefined) return { ...known, wrapper };
    await pause(5);
  }
  throw new SetupProblem(`A part could not be started:\n${fs.readFileSync(log, 'utf8').slice(-2000)}`);
}

const entering = (anchor, kinds) => ['nsenter', `--target=${anchor.pid}`, ...kinds];

/** Runs a short command inside the cluster (its mounts and network, the host's process ids). */
export function runInside(anchor, command, args) {
  const [nsenter, ...options] = entering(anchor, ['--mount', '--net']);
  return run(nsenter, [...options, command, ...args], { what: command });
}

/** Runs a short command in the cluster's network, with the host's files. */
export function runInNetwork(anchor, command, args) {
  const [nsenter, ...options] = entering(anchor, ['--net']);
  return run(nsenter, [...options, command, ...args], { what: command });
}

/** Starts a long-running process inside the cluster and returns its id on the host. */
export async function spawnInside(anchor, [command, ...args], { log, env }) {
  const [nsenter, ...options] = entering(anchor, namespaceKinds);
  const wrapper = await spawnDetached(nsenter, [...options, command, ...args], { log, env });
  return onlyChild(wrapper, log);
}

async function furnish(anchor) {
  for (const directory of privateDirectories)
    await runInside(anchor, 'mount', ['-t', 'tmpfs', '-o', 'mode=755', 'phenix-fleet', directory]);
  await runInside(anchor, 'ip', ['link', 'set', 'lo', 'up']);
  await runInside(anchor, 'ip', ['address', 'add', `${nodeAddress}/32`, 'dev', 'lo']);
  // A Service's IP address needs a route before the node's rules can translate it to a pod's.
  await runInside(anchor, 'ip', ['route', 'add', serviceNetwork, 'dev', 'lo', 'src', nodeAddress]);
  await runInNetwork(anchor, process.execPath, [
    '-e',
    "require('node:fs').writeFileSync('/proc/sys/net/ipv4/ip_forward', '1')",
  ]);
}

/** Creates the namespaces. Records each change on the host in the state, step by step, so that `down` finds it after a failure. */
export async function openNamespaces(state) {
  state.createdDirectories = privateDirectories.filter((directory) => !fs.existsSync(directory));
  writeState(state);
  for (const directory of state.createdDirectories) fs.mkdirSync(directory, { recursive: true });
  const log = inRun('log', 'anchor.log');
  const options = [...namespaceKinds, '--propagation=slave', '--fork', '--mount-proc'];
  const wrapper = await spawnDetached('unshare', [...options, binary('pause')], { log });
  state.anchor = await onlyChild(wrapper, log);
  writeState(state);
  await furnish(state.anchor);
}

/** Kills everything inside at once and waits until the kernel has done so. */
export async function closeNamespaces({ anchor, parts, createdDirectories = [] }) {
  await stopAll([anchor], 0);
  const outside = Object.values(parts).map(({ wrapper, ...known }) => wrapper ?? known);
  await stopAll([anchor?.wrapper, ...outside], 0);
  for (const directory of createdDirectories.toReversed()) removeIfEmpty(directory);
}

function removeIfEmpty(directory) {
  try {
    fs.rmdirSync(directory);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTEMPTY') throw error;
  }
}
