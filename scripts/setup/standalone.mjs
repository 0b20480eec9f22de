// A whole installation on one machine: PostgreSQL, Redis, the gateway and the three workers, each one process recorded in a state file, and a
// supervisor that restarts any process that ends.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {
  forgetStandalone,
  lockFile,
  logFile,
  plannedRequest,
  readStandalone,
  servers,
  services,
  stopServers,
  writeRequest,
} from './standalone-state.mjs';
import { withLock } from './lock.mjs';
import { checkout, projectNode } from './paths.mjs';
import { keepPrivate } from './private-files.mjs';
import { isAlive, signal, stopAll } from './processes.mjs';
import { SetupProblem } from './progress.mjs';

export { readStandalone } from './standalone-state.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Exit code of a supervisor that finds another supervisor at work. */
export const supervisedElsewhere = 75;
const startMs = 180_000;
/** Longer than a start takes. */
const timeoutMs = 240_000;

/** Only one command at a time changes an installation; the next one waits. */
const alone = (folder, work) =>
  withLock(
    lockFile(folder, 'change'),
    { timeoutMs, why: `Another command starts or stops the installation in ${folder}.` },
    work,
  );

function spawnSupervisor(folder) {
  fs.mkdirSync(path.join(folder, 'logs'), { recursive: true });
  const log = fs.openSync(logFile(folder, 'supervisor'), 'a', 0o640);
  const script = path.join(checkout, 'scripts', 'standalone.mjs');
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

const endOf = (log) => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').slice(-3000) : '(empty)');

const notReady = (folder, name) =>
  new SetupProblem(`${name} did not get ready. The end of its log:\n${endOf(logFile(folder, name))}`);

/** The error for a server that was never started or ended by itself. */
const serverNotReady = (folder, name) =>
  new SetupProblem(
    `${name} did not get ready. The end of the supervisor's log:\n${endOf(logFile(folder, 'supervisor'))}
The end of its own:\n${endOf(path.join(folder, name, `${name}.log`))}`,
  );

/** The services that are not ready yet. Throws if one has ended twice: on a busy machine its first connection may time out. */
async function missing(folder, state) {
  // PostgreSQL does not start while a process of its killed predecessor still runs, which takes a moment.
  const server = servers.find((name) => state[name]?.failures > 3);
  if (server) throw serverNotReady(folder, server);
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

/** Starts a supervisor if none runs and checks whether it has read this request. Throws if the supervisor started here has failed. */
class Supervision {
  #child;

  constructor(folder, request) {
    this.folder = folder;
    this.request = request;
  }

  knows(state) {
    // It ended because another supervisor had just started.
    if (this.#child?.exitCode === supervisedElsewhere) this.#child = undefined;
    if (isAlive(state.supervisor)) return this.#hasRead(state);
    if (this.#child === undefined) this.#child = spawnSupervisor(this.folder);
    else if (this.#child.exitCode !== null || this.#child.signalCode !== null)
      throw notReady(this.folder, 'supervisor');
    return false;
  }

  #hasRead({ supervisor, request }) {
    if (request === this.request.id) return true;
    signal(supervisor, 'SIGHUP');
    return false;
  }
}

/** Waits until everything in this request is ready, and returns the state. */
async function untilReady(folder, request) {
  const deadline = Date.now() + startMs;
  const supervision = new Supervision(folder, request);
  let waitFor = [];
  while (Date.now() < deadline) {
    const state = readStandalone(folder);
    if (supervision.knows(state)) {
      waitFor = await missing(folder, state);
      if (waitFor.length === 0) return readStandalone(folder);
    }
    await pause(100);
  }
  throw notReady(folder, waitFor[0] ?? 'supervisor');
}

function refuseOtherServers(state, request) {
  const older = (why) =>
    new SetupProblem(
      `This installation was started by an older release, ${why}.`,
      'Stop it first, then start it again: npm run standalone -- stop --work DIR',
    );
  if (isAlive(state.redis) && state.redis.urlFile === undefined) throw older('whose Redis has no password');
  if (!services.some((name) => isAlive(state.services[name]))) return;
  if (state.postgres === undefined) throw older('which keeps its records in Redis');
  for (const name of servers)
    if ((request[name] === undefined) !== (state[name]?.port !== undefined))
      throw new SetupProblem(
        `The services run on another server (${name}) than the one that is asked for now.`,
        'Stop the installation first: npm run standalone -- stop --work DIR',
      );
}

/** Writes the request for an installation. For `startStandalone`, and before `superviseStandalone`. */
export function requestStandalone(folder, options = {}) {
  keepPrivate();
  fs.mkdirSync(folder, { recursive: true });
  const request = plannedRequest(folder, options);
  refuseOtherServers(readStandalone(folder), request);
  writeRequest(folder, request);
  return request;
}

/**
 * Starts every part of the installation that is not running. A call after a crash restores the missing parts on the same ports.
 * options: workRoot, dataRoots, environment (more variables for the services).
 */
export function startStandalone(folder, options = {}) {
  keepPrivate();
  return alone(folder, () => untilReady(folder, requestStandalone(folder, options)));
}

/** Stops the services, then the servers that were started here. Running programs continue: cancel their sessions first. */
export async function stopStandalone(folder) {
  if (!fs.existsSync(folder)) return;
  await alone(folder, async () => {
    const { supervisor } = readStandalone(folder);
    // A supervisor stops its own children. If it was killed, they are stopped here.
    if (supervisor) await stopAll([supervisor], { graceMs: 120_000 });
    const state = readStandalone(folder);
    await stopAll(Object.values(state.services));
    await stopServers(state);
    forgetStandalone(folder, { requestToo: true });
  });
}
