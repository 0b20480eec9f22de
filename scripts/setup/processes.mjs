// Processes that outlive a script, identified by id, start time and boot, so that a reused id is never stopped by mistake.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The start time of a process in the system's format, or undefined if it does not run (a zombie counts as ended). */
function startOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
    if (fs.existsSync('/proc/self/stat')) return undefined;
  }
  const answer = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return answer.stdout?.trim() || undefined;
}

/** The arguments of a process in one line, or undefined if it does not run. */
export function commandLineOf(pid) {
  if (!Number.isInteger(pid) || startOf(pid) === undefined) return undefined;
  const file = `/proc/${pid}/cmdline`;
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').replaceAll('\0', ' ');
  return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}

/** Id of the current boot, from which start times count. Undefined on systems without such an id. */
function bootOf() {
  const file = '/proc/sys/kernel/random/boot_id';
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined;
}

export const identify = (pid) => ({ pid, start: startOf(pid), boot: bootOf(), host: os.hostname() });

/** Whether a process of this machine still runs; one of another machine cannot be checked here. */
export const isAlive = (known) =>
  known?.start !== undefined &&
  (known.boot === undefined || known.boot === bootOf()) &&
  startOf(known.pid) === known.start;

/** Whether it may be running: a process of another machine counts as possibly running. */
export const mayBeAlive = (known) => isAlive(known) || (known.host !== undefined && known.host !== os.hostname());

export function signal(known, name) {
  if (!isAlive(known)) return;
  try {
    process.kill(known.pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Sends processes SIGTERM, waits, then sends SIGKILL. */
export async function stopAll(processes, { graceMs = 30_000, how = 'SIGTERM' } = {}) {
  const alive = () => processes.filter(isAlive);
  for (const known of alive()) signal(known, how);
  const deadline = Date.now() + graceMs;
  while (alive().length > 0 && Date.now() < deadline) await pause(50);
  for (const known of alive()) signal(known, 'SIGKILL');
  while (alive().length > 0) await pause(20);
}
