import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';

/**
 * Number of out-of-memory kills in a memory cgroup: the field `oom_kill` of `memory.events` (cgroup v2) and of
 * `memory.oom_control` (v1, since Linux 4.13). Undefined if the field is missing.
 */
export const parseOomKills = (text: string): number | undefined => {
  const count = /^oom_kill (\d+)$/m.exec(text)?.[1];
  return count === undefined ? undefined : Number(count);
};

interface Mount {
  /** The mounted part of the hierarchy. */
  readonly root: string;
  readonly point: string;
}

/** Decodes blanks and similar characters, which mountinfo writes as three octal digits (proc_pid_mountinfo(5)). */
const unescaped = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** The mount of a file system type with a given option; fields as in proc_pid_mountinfo(5). */
const findMount = (mountInfo: string, type: string, option?: string): Mount | undefined => {
  for (const line of mountInfo.split('\n')) {
    const [mounted = '', system = ''] = line.split(' - ');
    const [, , , root, point] = mounted.split(' ');
    const [mountedType, , options = ''] = system.split(' ');
    if (mountedType !== type || root === undefined || point === undefined) continue;
    if (option === undefined || options.split(',').includes(option)) {
      return { root: unescaped(root), point: unescaped(point) };
    }
  }
  return undefined;
};

const pathInHierarchy = (cgroup: string, prefix: RegExp): string | undefined =>
  cgroup
    .split('\n')
    .find((line) => prefix.test(line))
    ?.split(':')
    .slice(2)
    .join(':');

/** A container sees its own cgroup as the mounted root, whether or not it has a cgroup namespace. */
const folderIn = ({ root, point }: Mount, path: string): string => {
  if (root === '/') return path.startsWith('/..') ? point : join(point, path);
  return path === root || path.startsWith(`${root}/`) ? join(point, path.slice(root.length)) : point;
};

/**
 * The file that counts out-of-memory kills of a process's cgroup, from its /proc/PID/cgroup and /proc/PID/mountinfo. If
 * both versions are mounted, the memory controller belongs to the one that names it.
 */
export const oomKillsFile = (cgroup: string, mountInfo: string): string | undefined => {
  const first = pathInHierarchy(cgroup, /^\d+:([^:]*,)?memory(,[^:]*)?:/);
  if (first !== undefined) {
    const mount = findMount(mountInfo, 'cgroup', 'memory');
    return mount === undefined ? undefined : join(folderIn(mount, first), 'memory.oom_control');
  }
  const second = pathInHierarchy(cgroup, /^0::/);
  const mount = findMount(mountInfo, 'cgroup2');
  return second === undefined || mount === undefined ? undefined : join(folderIn(mount, second), 'memory.events');
};

/** Out-of-memory kills in this process's cgroup so far; 0 if the system does not report them. */
export const countOomKills = (): number => {
  try {
    const file = oomKillsFile(readFileSync('/proc/self/cgroup', 'utf8'), readFileSync('/proc/self/mountinfo', 'utf8'));
    return file === undefined ? 0 : (parseOomKills(readFileSync(file, 'utf8')) ?? 0);
  } catch (error) {
    // Not mounted into this container, or the root cgroup, which has no such file.
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return 0;
    throw error;
  }
};
