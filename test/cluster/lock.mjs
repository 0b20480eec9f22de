// One change at a time: the lock is a file that names its holder; one whose holder is gone is taken over.
import fs from 'node:fs';
import path from 'node:path';
import { identify, isAlive } from '../../scripts/setup/processes.mjs';
import { SetupProblem } from '../../scripts/setup/progress.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function holderOf(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Links a complete file into place, so that nobody ever reads half a lock. */
function take(file) {
  const own = `${file}.${process.pid}`;
  fs.writeFileSync(own, JSON.stringify(identify(process.pid)));
  try {
    fs.linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const holder = holderOf(file);
    if (holder !== undefined && !isAlive(holder)) fs.rmSync(file, { force: true });
    return false;
  } finally {
    fs.rmSync(own, { force: true });
  }
}

/** Runs `work` while nobody else runs under the same lock file. Throws SetupProblem after `patienceMs`. */
export async function withLock(file, patienceMs, work) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const deadline = Date.now() + patienceMs;
  while (!take(file)) {
    if (Date.now() > deadline)
      throw new SetupProblem(`Process ${holderOf(file)?.pid} is busy with the cluster (${file}).`);
    await pause(50);
  }
  try {
    return await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}
