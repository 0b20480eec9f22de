// A whole facility on one machine: Redis, the gateway and the three workers, each a process of its own, known by a state file, and a
// supervisor that starts again what ends.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {
  forgetFacility,
  lockFile,
  logFile,
  plannedRequest,
  readFacility,
  services,
  writeRequest,
} from './facility-state.mjs';
import { withLock } from './lock.mjs';
import { checkout, projectNode } from './paths.mjs';
import { keepPrivate } from './private-files.mjs';
import { isAlive, signal, stopAll } from './processes.mjs';
import { SetupProblem } from './progress.mjs';

export { readFacility } from './facility-state.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** What a supervisor ends with where another one looks after the facility. */
export const supervisedElsewhere = 75;
const startMs = 180_000;
/** Longer than a start takes. */
const timeoutMs = 240_000;

/** One command changes a facility at a time; the next one waits for it. */
const alone = (folder, work) =>
  withLock(
    lockFile(folder, 'change'),
    { timeoutMs, why: `Another command starts or stops the facility in ${folder}.` },
    work,
  );

function spawnSupervisor(folder) {
  fs.mkdirSync(path.join(folder, 'logs'), { recursive: true });
  const log = fs.openSync(logFile(folder, 'supervisor'), 'a', 0o640);
  const script = path.join(checkout, 'scripts', 'facility.mjs');
  const child = spawn(projectNode(), [script, 'run', '--work', folder, '--no-setup'], {
    stdio: ['ignore', log, log],
    detached: true,
  });
  fs.closeSync(log);
  child.unref();
  return child;
}

async function isReady(port, route) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${route}`, { signal: AbortSignal.timeout(2000) });
    return response.ok;
  } catch (error) {
    if (error instanceof TypeError || error.name === 'TimeoutError') return false; // not listening yet
    throw error;
  }
}

const endOf = (folder, name) =>
  fs.existsSync(logFile(folder, name)) ? fs.readFileSync(logFile(folder, name), 'utf8').slice(-3000) : '(empty)';

const notReady = (folder, name) =>
  new SetupProblem(`${name} did not get ready. The end of its log:\n${endOf(folder, name)}`);

/** The services that are not ready yet. Throws when one has ended twice: on a busy machine its first connection to Redis may time out. */
async function missing(folder, state) {
  if (state.redis?.failures > 1) throw notReady(folder, 'supervisor');
  const failed = services.find((name) => state.services[name]?.failures > 1);
  if (failed) throw notReady(folder, failed);
  const ready = await Promise.all(
    services.map(async (name) => {
      const known = state.services[name];
      return isAlive(known) && (await isReady(known.port, '/health/ready'));
    }),
  );
  return services.filter((_, index) => !ready[index]);
}

/** A supervisor that has read this request, or undefined while there is none. Throws when the one that was started here has failed. */
class Supervision {
  #child;

  constructor(folder, request) {
    this.folder = folder;
    this.request = request;
  }

  knows(state) {
    // It found that another one had just begun.
    if (this.#child?.exitCode === supervisedElsewhere) this.#child = undefined;
    if (isAlive(state.supervisor)) return this.#told(state);
    if (this.#child === undefined) this.#child = spawnSupervisor(this.folder);
    else if (this.#child.exitCode !== null || this.#child.signalCode !== null)
      throw notReady(this.folder, 'supervisor');
    return false;
  }

  #told({ supervisor, request }) {
    if (request === this.request.id) return true;
    signal(supervisor, 'SIGHUP');
    return false;
  }
}

/** Gives the state when everything is ready that this request asks for. */
async function untilReady(folder, request) {
  const deadline = Date.now() + startMs;
  const supervision = new Supervision(folder, request);
  let waitFor = [];
  while (Date.now() < deadline) {
    const state = readFacility(folder);
    if (supervision.knows(state)) {
      waitFor = await missing(folder, state);
      if (waitFor.length === 0) return readFacility(folder);
    }
    await pause(100);
  }
  throw notReady(folder, waitFor[0] ?? 'supervisor');
}

function refuseAnotherRedis(state, request) {
  const ownNow = request.redis === undefined;
  const ownBefore = state.redis?.port !== undefined;
  const works = services.some((name) => isAlive(state.services[name]));
  if (isAlive(state.redis) && state.redis.urlFile === undefined)
    throw new SetupProblem(
      'This facility was started by an older release, whose Redis has no password.',
      'Stop it first, then start it again: npm run facility -- stop --work DIR',
    );
  if (works && ownNow !== ownBefore)
    throw new SetupProblem(
      'The services run on another Redis than the one of REDIS_URL.',
      'Stop the facility first: npm run facility -- stop --work DIR',
    );
}

/** Asks for a facility: writes down what is wanted. For `startFacility`, and before `superviseFacility`. */
export function askForFacility(folder, options = {}) {
  keepPrivate();
  fs.mkdirSync(folder, { recursive: true });
  const request = plannedRequest(folder, options);
  refuseAnotherRedis(readFacility(folder), request);
  writeRequest(folder, request);
  return request;
}

/**
 * Starts whatever of the facility is not running; calling it again after a crash brings back what is missing, on the same ports.
 * options: workRoot, dataRoots, environment (more variables for the services).
 */
export function startFacility(folder, options = {}) {
  keepPrivate();
  return alone(folder, () => untilReady(folder, askForFacility(folder, options)));
}

/** Stops the services, then Redis (only one that was started here). Running programs are not touched: cancel their sessions first. */
export async function stopFacility(folder) {
  if (!fs.existsSync(folder)) return;
  await alone(folder, async () => {
    const { supervisor } = readFacility(folder);
    // It stops what it looks after. One that was killed has left that to us.
    if (supervisor) await stopAll([supervisor], 120_000);
    const state = readFacility(folder);
    await stopAll(Object.values(state.services));
    if (state.redis?.pid !== undefined) await stopAll([state.redis]);
    forgetFacility(folder, { requestToo: true });
  });
}
