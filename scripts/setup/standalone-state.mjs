// The two files of an installation on one machine: its request (what a command wants to run) and its state (what the supervisor runs).
import fs from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { isAlive, stopAll } from './processes.mjs';
import { shownEnvironment, shownUrl, writePrivate } from './private-files.mjs';

/** The servers for the services' records and queues, each with the variable that names an external one. */
const variables = { redis: 'REDIS_URL', postgres: 'DATABASE_URL' };
export const servers = Object.keys(variables);
export const services = ['gateway', 'decision-worker', 'executor-worker', 'log-analysis-worker'];

const stateFile = (folder) => path.join(folder, 'standalone.json');
const requestFile = (folder) => path.join(folder, 'standalone-request.json');
const readJson = (file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined);
const writeJson = (file, value) => writePrivate(file, `${JSON.stringify(value, null, 2)}\n`);

/** Locks: `change` for a command that starts or stops, `supervisor` for the process that restarts the others. */
export const lockFile = (folder, name) => path.join(folder, `.standalone-${name}.lock`);
export const logFile = (folder, name) => path.join(folder, 'logs', `${name}.log`);

/** The state of the installation in this folder; empty if there is no installation. */
export const readStandalone = (folder) => readJson(stateFile(folder)) ?? { services: {} };
export const writeStandalone = (folder, state) => writeJson(stateFile(folder), state);

export const readRequest = (folder) => readJson(requestFile(folder));

export function forgetStandalone(folder, { requestToo }) {
  fs.rmSync(stateFile(folder), { force: true });
  if (requestToo) fs.rmSync(requestFile(folder), { force: true });
}

/** The server that the environment names: the file with its URL, and in `secret` the text to write into it. */
const serverOfUser = (folder, name, environment) => {
  const [url, file] = [environment[variables[name]], environment[`${variables[name]}_FILE`]];
  if (file) return { url: `(from ${variables[name]}_FILE)`, urlFile: path.resolve(file) };
  return url ? { url: shownUrl(url), urlFile: path.join(folder, `${name}-url`), secret: url } : undefined;
};

const ofEachServer = (valueOf) =>
  Object.fromEntries(servers.map((name) => [name, valueOf(name)]).filter(([, value]) => value !== undefined));

/** The previous request, or else what an older release had started. */
function known(folder) {
  const request = readRequest(folder);
  if (request !== undefined) return request;
  const { workRoot, dataRoots, environment } = readStandalone(folder);
  return workRoot === undefined ? {} : { workRoot, dataRoots, environment };
}

/**
 * The new request: the previous one with these changes. Its id changes each time.
 * options: workRoot, dataRoots, environment (more variables for the services). env: variables that may name external servers.
 */
export function plannedRequest(folder, options, env = process.env) {
  const before = { workRoot: path.join(folder, 'sessions'), dataRoots: [], environment: {}, ...known(folder) };
  const wanted = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const { workRoot, dataRoots, environment: given } = { ...before, ...wanted };
  const named = ofEachServer(
    (name) => serverOfUser(folder, name, given) ?? serverOfUser(folder, name, env) ?? before[name],
  );
  const isOurs = (variable) => Object.values(variables).some((url) => [url, `${url}_FILE`].includes(variable));
  const environment = Object.fromEntries(Object.entries(given).filter(([variable]) => !isOurs(variable)));
  return { id: randomUUID(), workRoot, dataRoots, environment, ...named };
}

/** Writes the request for the supervisor, each of its secrets to a separate file. */
export function writeRequest(folder, request) {
  const shown = ofEachServer((name) => {
    if (request[name] === undefined) return undefined;
    const { secret, ...server } = request[name];
    if (secret !== undefined) writePrivate(server.urlFile, `${secret}\n`);
    return server;
  });
  fs.mkdirSync(request.workRoot, { recursive: true });
  writeJson(requestFile(folder), { ...request, ...shown });
}

/** Stops the running servers of an installation: PostgreSQL by SIGINT, because after SIGTERM it waits for its last client to leave. */
export async function stopServers({ redis, postgres }) {
  await stopAll([redis ?? {}]);
  await stopAll([postgres ?? {}], { how: 'SIGINT' });
}

/** URL of the installation for a browser. */
export const dashboardOf = (url) => `${url}/ui/`;

/** The state for display: each part with `alive`, without secrets. */
export function shownStandalone(state) {
  const shown = (part) => part && { ...part, ...(part.pid !== undefined && { alive: isAlive(part) }) };
  return {
    ...state,
    ...(state.url && { dashboard: dashboardOf(state.url) }),
    ...(state.environment && { environment: shownEnvironment(state.environment) }),
    ...ofEachServer(
      (name) => state[name] && { ...shown(state[name]), ...(state[name].url && { url: shownUrl(state[name].url) }) },
    ),
    ...(state.supervisor && { supervisor: shown(state.supervisor) }),
    services: Object.fromEntries(Object.entries(state.services).map(([name, part]) => [name, shown(part)])),
  };
}
