// The parts that an installation's supervisor starts: PostgreSQL, Redis and the services. Each is one process, restarted with a growing delay.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { logFile } from './standalone-state.mjs';
import { ensureInstallationKey } from './installation-key.mjs';
import { checkout, openProgramsDirectory, projectNode } from './paths.mjs';
import { identify, isAlive } from './processes.mjs';
import { freePort, isFreePort } from './ports.mjs';
import { launchPostgres, postgresSecrets, runningPostgres } from './postgres-server.mjs';
import { askRedis, launchRedis, redisSecrets } from './redis-server.mjs';

/** A process that ran this long is not in a crash loop. */
const soundMs = 60_000;
const longestMs = 60_000;
/** Restart delay: none the first time, then 1, 2, 4, … seconds, at most a minute. */
const delayAfter = (failures) => (failures <= 1 ? 0 : Math.min(longestMs, 1000 * 2 ** (failures - 2)));

const machine = { now: Date.now, identify, isAlive };

/** One process that should run. `known` is its entry in the state file: the same object, changed in place. */
export class Part {
  #startedAt = 0;
  #dueAt = 0;
  #end;

  /** start(known): starts it and returns the child process. say(words): writes to the supervisor's log. on: its clock and processes. */
  constructor(name, known, { start, say, on = machine }) {
    this.name = name;
    this.known = known;
    this.start = start;
    this.say = say;
    this.on = on;
  }

  get lives() {
    return this.on.isAlive(this.known);
  }

  /** A command requests this part: resets its failure count. */
  forgive() {
    if (!this.lives && this.known.start !== undefined) this.#noteEnd();
    this.known.failures = 0;
    this.#dueAt = 0;
  }

  /** Starts the process if it does not run and its delay has passed. Returns true when something has changed. */
  async look() {
    if (this.lives) return false;
    const died = this.known.start !== undefined;
    if (died) this.#noteEnd();
    if (this.on.now() < this.#dueAt) return died;
    this.#startedAt = this.on.now();
    try {
      const child = await this.start(this.known);
      if (child !== undefined) this.#watch(child);
    } catch (error) {
      this.say(`${this.name} cannot be started: ${error.message}`);
      this.#fail();
    }
    return true;
  }

  #watch(child) {
    this.#end = undefined;
    child.on('error', (error) => (this.#end = error.message));
    child.on('exit', (code, signal) => (this.#end = signal ?? `exit code ${code}`));
    child.unref();
    if (child.pid === undefined) throw new Error('the system made no process for it');
    Object.assign(this.known, this.on.identify(child.pid));
  }

  #noteEnd() {
    const how = this.#end ?? 'unknown how';
    const lastEnd = { at: new Date(this.on.now()).toISOString(), how, pid: this.known.pid };
    for (const key of ['pid', 'start', 'boot', 'host']) delete this.known[key];
    this.known.restarts = (this.known.restarts ?? 0) + 1;
    this.known.lastEnd = lastEnd;
    if (this.#startedAt > 0 && this.on.now() - this.#startedAt > soundMs) this.known.failures = 0;
    const delay = this.#fail();
    this.say(`${this.name} has ended (${how}); it is started again in ${delay / 1000} s.`);
  }

  #fail() {
    this.known.failures = (this.known.failures ?? 0) + 1;
    const delay = delayAfter(this.known.failures);
    this.#dueAt = this.on.now() + delay;
    return delay;
  }
}

/** A service starts even if its log cannot be opened. */
function openLog(folder, name, say) {
  try {
    fs.mkdirSync(path.join(folder, 'logs'), { recursive: true });
    return fs.openSync(logFile(folder, name), 'a', 0o640);
  } catch (error) {
    say(`${name} runs without a log: ${error.message}`);
    return 'ignore';
  }
}

function environment(folder, state, name, port) {
  const own = Object.entries(process.env).filter(([variable]) => !/^(REDIS|DATABASE)_URL/.test(variable));
  return {
    ...Object.fromEntries(own),
    REDIS_URL_FILE: state.redis.urlFile,
    DATABASE_URL_FILE: state.postgres.urlFile,
    FLEET_WORK_ROOT: state.workRoot,
    FLEET_DATA_ROOTS: state.dataRoots.join(':'),
    FLEET_OPEN_PHENIX_DIR: openProgramsDirectory,
    FLEET_INSTALLATION_KEY_FILE: process.env.FLEET_INSTALLATION_KEY_FILE ?? ensureInstallationKey(folder),
    FLEET_LOG_FORMAT: 'json',
    ...(name === 'gateway' ? { FLEET_GATEWAY_PORT: String(port) } : { FLEET_HEALTH_PORT: String(port) }),
    ...state.environment,
  };
}

/**
 * Replaces a port that another process has taken meanwhile, if no client knows it: that of a worker, or the gateway's before its first
 * start. A service that ended because its port was taken does not count as failed.
 * @public
 */
export async function keepPortFree(state, name, known) {
  if (name === 'gateway' && known.lastEnd !== undefined) return;
  if (await isFreePort(known.port)) return;
  known.port = await freePort();
  known.failures = 0;
  if (name === 'gateway') state.url = `http://127.0.0.1:${known.port}`;
}

/** Starts a service; the gateway keeps its port as long as the installation exists. */
export const serviceStarter = (folder, state, name, say) => async (known) => {
  await keepPortFree(state, name, known);
  const log = openLog(folder, name, say);
  const main = path.join(checkout, 'dist', 'apps', name, 'src', 'main.js');
  try {
    return spawn(projectNode(), ['--enable-source-maps', main], {
      env: environment(folder, state, name, known.port),
      stdio: ['ignore', log, log],
      detached: true,
    });
  } finally {
    if (log !== 'ignore') fs.closeSync(log);
  }
};

/** Another port for a server whose port a foreign process has; an error if a service already knows the port. */
async function movePort(known, mayMove) {
  if (!mayMove()) throw new Error(`port ${known.port} of 127.0.0.1 is taken by another program`);
  Object.assign(known, { port: await freePort(), failures: 0 });
}

/**
 * Starts the installation's own Redis on its port. Adopts a running one, left by a supervisor that died before it recorded it, and then
 * returns undefined. If a foreign process has the port, another port is chosen, provided no service knows the old one.
 */
export const redisStarter =
  (folder, { save, mayMove, launch = launchRedis }) =>
  async (known) => {
    const own = path.join(folder, 'redis');
    known.port ??= await freePort();
    const { who, pid } = await askRedis(known.port, redisSecrets(own, known.port).password);
    if (who === 'silent') await movePort(known, () => false);
    else if (who === 'foreign' || (who === 'nobody' && !(await isFreePort(known.port)))) await movePort(known, mayMove);
    Object.assign(known, { url: `redis://127.0.0.1:${known.port}`, urlFile: redisSecrets(own, known.port).urlFile });
    if (who === 'ours') return void Object.assign(known, identify(pid));
    // The URL is recorded before the server starts.
    save();
    return launch(own, known.port);
  };

/** Starts the installation's own PostgreSQL, as `redisStarter` does Redis. Adopts one that already runs in its folder, with its port. */
export const postgresStarter =
  (folder, { save, mayMove, launch = launchPostgres }) =>
  async (known) => {
    const own = path.join(folder, 'postgres');
    const running = runningPostgres(own);
    known.port = running?.port ?? known.port ?? (await freePort());
    if (running === undefined && !(await isFreePort(known.port))) await movePort(known, mayMove);
    const { urlFile } = postgresSecrets(own, known.port);
    Object.assign(known, { url: `postgres://127.0.0.1:${known.port}/fleet`, urlFile });
    if (running !== undefined) return void Object.assign(known, identify(running.pid));
    save();
    return launch(own, known.port);
  };

export async function redisIsReady(folder, known) {
  const { password } = redisSecrets(path.join(folder, 'redis'), known.port);
  return (await askRedis(known.port, password)).ready === true;
}

export const postgresIsReady = (folder) => runningPostgres(path.join(folder, 'postgres'))?.ready === true;
