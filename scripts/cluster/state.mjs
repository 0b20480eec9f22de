// The state file of the cluster. It identifies every process by id and start time.
import fs from 'node:fs';
import { isAlive } from '../setup/processes.mjs';
import { SetupProblem } from '../setup/progress.mjs';
import { inRun, runDirectory } from './layout.mjs';
import { withLock } from './lock.mjs';

const stateFile = inRun('state.json');
const twoMinutes = 120_000;

/** The state, or undefined when no cluster was started (or `down` has removed it). */
export const readState = () => (fs.existsSync(stateFile) ? JSON.parse(fs.readFileSync(stateFile, 'utf8')) : undefined);

export function writeState(state) {
  fs.mkdirSync(runDirectory, { recursive: true });
  const partial = `${stateFile}.partial`;
  fs.writeFileSync(partial, `${JSON.stringify(state, null, 2)}\n`);
  fs.renameSync(partial, stateFile);
}

/** Whether the cluster's namespaces exist: they do as long as their first process. */
export const isUp = (state) => state !== undefined && isAlive(state.anchor);

export function runningState() {
  const state = readState();
  if (isUp(state)) return state;
  throw new SetupProblem('The cluster is not up.', 'node scripts/cluster.mjs up');
}

/** The lock is beside the directory, because `down` removes the directory. */
export const withClusterLock = (work) => withLock(`${runDirectory}.lock`, twoMinutes, work);
