// What is known of a facility on one machine: its request (what somebody asked for), and its state (what its supervisor made of it).
import fs from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { isAlive } from './processes.mjs';
import { shownEnvironment, shownUrl, writePrivate } from './private-files.mjs';

export const services = ['gateway', 'decision-worker', 'executor-worker', 'log-analysis-worker'];

const stateFile = (folder) => path.join(folder, 'facility.json');
const requestFile = (folder) => path.join(folder, 'facility-request.json');
const readJson = (file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined);
const writeJson = (file, value) => writePrivate(file, `${JSON.stringify(value, null, 2)}\n`);

/** Locks: `change` of a command that starts or stops, `supervisor` of the process that looks after the rest. */
export const lockFile = (folder, name) => path.join(folder, `.facility-${name}.lock`);
export const logFile = (folder, name) => path.join(folder, 'logs', `${name}.log`);

/** What is known of the facility in this folder; empty when there was none. */
export const readFacility = (folder) => readJson(stateFile(folder)) ?? { services: {} };
export const writeFacility = (folder, state) => writeJson(stateFile(folder), state);

export const readRequest = (folder) => readJson(requestFile(folder));

export function forgetFacility(folder, { requestToo }) {
  fs.rmSync(stateFile(folder), { force: true });
  if (requestToo) fs.rmSync(requestFile(folder), { force: true });
}

/** The Redis that the environment names: where its URL lies, with `secret` what is to be written there. */
const redisOfUser = (folder, { REDIS_URL: url, REDIS_URL_FILE: file }) => {
  if (file) return { url: '(from REDIS_URL_FILE)', urlFile: path.resolve(file) };
  return url ? { url: shownUrl(url), urlFile: path.join(folder, 'redis-url'), secret: url } : undefined;
};

/** What was wanted before, or else what an older release had started. */
function known(folder) {
  const request = readRequest(folder);
  if (request !== undefined) return request;
  const { workRoot, dataRoots, environment } = readFacility(folder);
  return workRoot === undefined ? {} : { workRoot, dataRoots, environment };
}

/**
 * What is wanted: what was wanted before, with these changes. Its id changes each time.
 * options: workRoot, dataRoots, environment (more variables for the services). env: where a Redis of the user's may be named.
 */
export function plannedRequest(folder, options, env = process.env) {
  const before = { workRoot: path.join(folder, 'sessions'), dataRoots: [], environment: {}, ...known(folder) };
  const wanted = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const { REDIS_URL, REDIS_URL_FILE, ...environment } = { ...before, ...wanted }.environment;
  const redis = redisOfUser(folder, { REDIS_URL, REDIS_URL_FILE }) ?? redisOfUser(folder, env) ?? before.redis;
  const { workRoot, dataRoots } = { ...before, ...wanted };
  return { id: randomUUID(), workRoot, dataRoots, environment, ...(redis && { redis }) };
}

/** Writes it down for the supervisor, the secret in it into a file of its own. */
export function writeRequest(folder, { redis, ...request }) {
  const { secret, ...shown } = redis ?? {};
  if (secret !== undefined) writePrivate(redis.urlFile, `${secret}\n`);
  fs.mkdirSync(request.workRoot, { recursive: true });
  writeJson(requestFile(folder), { ...request, ...(redis && { redis: shown }) });
}

/** Where people look at it, in a browser. */
export const dashboardOf = (url) => `${url}/ui/`;

/** The state for people: each part with `alive`, and no secret. */
export function shownFacility(state) {
  const shown = (part) => part && { ...part, ...(part.pid !== undefined && { alive: isAlive(part) }) };
  return {
    ...state,
    ...(state.url && { dashboard: dashboardOf(state.url) }),
    ...(state.environment && { environment: shownEnvironment(state.environment) }),
    ...(state.redis && {
      redis: { ...shown(state.redis), ...(state.redis.url && { url: shownUrl(state.redis.url) }) },
    }),
    ...(state.supervisor && { supervisor: shown(state.supervisor) }),
    services: Object.fromEntries(Object.entries(state.services).map(([name, part]) => [name, shown(part)])),
  };
}
