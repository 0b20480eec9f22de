// Changes on the host itself for the node's programs: a cgroup in every hierarchy, and the settings that a kubelet makes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SetupProblem } from '../setup/progress.mjs';
import { cgroupName } from './layout.mjs';

const neededControllers = ['cpu', 'cpuset', 'memory', 'pids'];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Settings that a kubelet changes for the whole machine; `down` restores them. */
const kernelSettings = [
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
];

const settingFile = (name) => path.join('/proc/sys', name);

export const readKernelSettings = () =>
  Object.fromEntries(
    kernelSettings
      .filter((name) => fs.existsSync(settingFile(name)))
      .map((name) => [name, fs.readFileSync(settingFile(name), 'utf8').trim()]),
  );

export function restoreKernelSettings(saved) {
  for (const [name, value] of Object.entries(saved))
    if (fs.readFileSync(settingFile(name), 'utf8').trim() !== value) fs.writeFileSync(settingFile(name), value);
}

function cgroupMounts() {
  const mounts = fs
    .readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const first = mounts.filter(([, , type]) => type === 'cgroup').map(([, directory]) => directory);
  const second = mounts.filter(([, , type]) => type === 'cgroup2').map(([, directory]) => directory);
  return { first, second };
}

const cgroupDirectories = () => {
  const { first, second } = cgroupMounts();
  return [...first, ...second].map((mount) => path.join(mount, cgroupName));
};

/** In cgroup version 2 a controller reaches a cgroup only if every parent delegates it. */
function passOn(directory) {
  const available = fs.readFileSync(path.join(directory, 'cgroup.controllers'), 'utf8').trim().split(' ');
  const wanted = neededControllers.filter((name) => available.includes(name)).map((name) => `+${name}`);
  try {
    fs.writeFileSync(path.join(directory, 'cgroup.subtree_control'), wanted.join(' '));
  } catch (error) {
    if (error.code !== 'EBUSY') throw error;
    throw new SetupProblem(
      `${directory} has processes of its own, so it cannot pass its controllers on.`,
      'In a container: move them into a cgroup below it first.',
    );
  }
}

/**
 * CPU weight of the node's pods. By default all pods together would weigh as much as one process, and on a busy machine a service would
 * take minutes to start, so they get the weight of two processes per CPU. The value 1024 in version 1 equals 100 in version 2.
 */
function weigh() {
  const processes = 2 * os.availableParallelism();
  const weights = { 'cpu.shares': 1024 * processes, 'cpu.weight': Math.min(100 * processes, 10_000) };
  for (const directory of cgroupDirectories())
    for (const [name, weight] of Object.entries(weights)) {
      const file = path.join(directory, name);
      if (fs.existsSync(file)) fs.writeFileSync(file, String(weight));
    }
}

/** The node's cgroup, below which the kubelet creates those of its pods. */
export function makeCgroups() {
  const { first, second } = cgroupMounts();
  for (const directory of cgroupDirectories()) fs.mkdirSync(directory, { recursive: true });
  makeControllers(first, second);
  weigh();
}

function makeControllers(first, second) {
  if (first.length > 0) return; // next to version 1, version 2 has no controllers
  for (const mount of second) {
    passOn(mount);
    passOn(path.join(mount, cgroupName));
  }
}

/** Removes cgroups, deepest first; the files inside a cgroup belong to the kernel. */
function removeCgroup(directory) {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true }))
    if (entry.isDirectory()) removeCgroup(path.join(directory, entry.name));
  fs.rmdirSync(directory);
}

const remaining = () => cgroupDirectories().filter((directory) => fs.existsSync(directory));

function isRemoved(directory) {
  try {
    removeCgroup(directory);
    return true;
  } catch (error) {
    if (error.code !== 'EBUSY') throw error;
    return false;
  }
}

/** Removes the cgroup after its processes have ended; the kernel may need a moment more to release it. */
export async function removeCgroups() {
  const deadline = Date.now() + 10_000;
  while (!remaining().map(isRemoved).every(Boolean)) {
    if (Date.now() > deadline) throw new Error(`These cgroups are still in use: ${remaining().join(', ')}`);
    await pause(50);
  }
}
