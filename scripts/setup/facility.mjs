// A whole facility on one machine: Redis, the gateway and the three workers, each a process of its own, known by a state file.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ensureInstallationKey } from './installation-key.mjs';
import { checkout, openProgramsDirectory, projectNode } from './paths.mjs';
import { identify, isAlive, stopAll } from './processes.mjs';
import { SetupProblem } from './progress.mjs';
import { freePort, startRedis } from './redis-server.mjs';

export const services = ['gateway', 'decision-worker', 'executor-worker', 'log-analysis-worker'];

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const stateFile = (folder) => path.join(folder, 'facility.json');

/** What is known of the facility in this folder; empty when there was none. */
export function readFacility(folder) {
  const file = stateFile(folder);
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : { services: {} };
}

function writeFacility(folder, state) {
  const partial = `${stateFile(folder)}.${process.pid}`;
  fs.writeFileSync(partial, `${JSON.stringify(state, null, 2)}\n`);
  fs.renameSync(partial, stateFile(folder));
}

function environment(state, folder, name) {
  const port = String(state.services[name].port);
  return {
    ...process.env,
    REDIS_URL: state.redis.url,
    FLEET_WORK_ROOT: state.workRoot,
    FLEET_DATA_ROOTS: state.dataRoots.join(':'),
    FLEET_OPEN_PHENIX_DIR: openProgramsDirectory,
    FLEET_INSTALLATION_KEY_FILE: process.env.FLEET_INSTALLATION_KEY_FILE ?? ensureInstallationKey(folder),
    FLEET_LOG_FORMAT: 'json',
    ...(name === 'gateway' ? { FLEET_GATEWAY_PORT: port } : { FLEET_HEALTH_PORT: port }),
    ...state.environment,
  };
}

function launch(state, folder, name) {
  const logs = path.join(folder, 'logs');
  fs.mkdirSync(logs, { recursive: true });
  const log = fs.openSync(path.join(logs, `${name}.log`), 'a');
  const main = path.join(checkout, 'dist', 'apps', name, 'src', 'main.js');
  const child = spawn(projectNode(), ['--enable-source-maps', main], {
    env: environment(state, folder, name),
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

async function untilReady(folder, name, known) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (await isReady(known.port, '/health/ready')) return;
    if (!isAlive(known)) break;
    await pause(50);
  }
  const log = fs.readFileSync(path.join(folder, 'logs', `${name}.log`), 'utf8');
  throw new SetupProblem(`${name} did not get ready. The end of its log:\n${log.slice(-3000)}`);
}

async function ensureRedis(folder, state) {
  if (process.env.REDIS_URL) state.redis = { url: process.env.REDIS_URL };
  else if (!isAlive(state.redis)) {
    const started = await startRedis(path.join(folder, 'redis'), state.redis?.port);
    state.redis = { ...started, ...identify(started.pid) };
  }
  writeFacility(folder, state);
}

function planned(folder, options) {
  const known = readFacility(folder);
  const state = {
    workRoot: path.join(folder, 'sessions'),
    dataRoots: [],
    environment: {},
    ...known,
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  };
  fs.mkdirSync(state.workRoot, { recursive: true });
  return state;
}

async function ensureService(folder, state, name) {
  if (isAlive(state.services[name])) return;
  state.services[name] = { port: state.services[name]?.port ?? (await freePort()) };
  const child = launch(state, folder, name);
  Object.assign(state.services[name], identify(child.pid));
  writeFacility(folder, state);
}

/**
 * Starts whatever of the facility is not running; calling it again after a crash brings back what is missing, on the same ports.
 * options: workRoot, dataRoots, environment (more variables for the services).
 */
export async function startFacility(folder, options = {}) {
  const state = planned(folder, options);
  await ensureRedis(folder, state);
  for (const name of services) await ensureService(folder, state, name);
  await Promise.all(services.map((name) => untilReady(folder, name, state.services[name])));
  state.url = `http://127.0.0.1:${state.services.gateway.port}`;
  writeFacility(folder, state);
  return state;
}

/** Stops the services, then Redis (only one that was started here). Running programs are not touched: cancel their sessions first. */
export async function stopFacility(folder) {
  const state = readFacility(folder);
  await stopAll(Object.values(state.services));
  if (state.redis?.pid !== undefined) await stopAll([state.redis]);
  fs.rmSync(stateFile(folder), { force: true });
}
