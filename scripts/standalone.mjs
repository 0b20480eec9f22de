#!/usr/bin/env node
// npm run standalone: a whole installation on one machine (PostgreSQL, Redis, gateway, three workers), for work or tests.
import fs from 'node:fs';
import path from 'node:path';
import { command } from './setup/command.mjs';
import {
  requestStandalone,
  readStandalone,
  startStandalone,
  stopStandalone,
  supervisedElsewhere,
} from './setup/standalone.mjs';
import { readRequest, shownStandalone } from './setup/standalone-state.mjs';
import { superviseStandalone } from './setup/standalone-supervisor.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms, licensedPhenix } from './setup/open-programs.mjs';
import { isAlive } from './setup/processes.mjs';
import { keepPrivate } from './setup/private-files.mjs';
import { SetupProblem } from './setup/progress.mjs';
import { recoveryHint } from './setup/unrecovered.mjs';

const usage = `npm run standalone -- start|stop|status|run --work DIR [--data DIR]... [--env NAME=VALUE]...

  start    installs what is missing, then starts whatever is not running; prints the state as JSON. A supervisor stays and starts
           again what ends: at once, then after 1, 2, 4, … seconds, at most a minute
  stop     ends the supervisor, the services and the PostgreSQL and Redis that start began; programs under way are adopted by the next start
  status   prints the state as JSON, each process with \`alive\`, how often it was started again and how it ended last
  run      is that supervisor, in the foreground until SIGTERM: for systemd (docs/systemd/phenix-fleet.service)

  --work DIR         where the state, the logs, the database and the sessions are
  --data DIR         a folder that data may be submitted from; may be repeated. Where there are keys it says whose the folders in it
                     are: '/data/{proposal}' (docs/access.md)
  --no-setup         start with what is installed and built already
  --env NAME=VALUE   a variable for the services (docs/configuration.md); may be repeated

DATABASE_URL or DATABASE_URL_FILE in the environment names a PostgreSQL of yours, REDIS_URL or REDIS_URL_FILE a Redis. Otherwise each
is started, with a password that no other user can read; WORK/postgres/url and WORK/redis/url hold their URLs. The records are in PostgreSQL
(WORK/postgres/data); Redis keeps nothing on the disk. As root, PostgreSQL runs as the owner of WORK, or as nobody (uid 65534).

Example: npm run standalone -- start --work ~/fleet --data /data/visit
`;

const options = {
  work: { type: 'string' },
  data: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  'no-setup': { type: 'boolean', default: false },
};

function pair(text) {
  const at = text.indexOf('=');
  if (at < 1) throw new SetupProblem(`--env ${text}: NAME=VALUE is needed.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function setUp() {
  await ensureNodePackages();
  await ensureBuild();
  if (licensedPhenix() === undefined) await ensureOpenPrograms();
}

/** Its part before the first {NAME} or * must exist: otherwise each service would fail to start. */
function dataRoot(given) {
  const root = path.resolve(given);
  const fixed = root.split(/\/[^/]*[{*]/)[0] || '/';
  if (fs.statSync(fixed, { throwIfNoEntry: false })?.isDirectory()) return root;
  throw new SetupProblem(`--data ${given}: there is no folder ${fixed}. Nothing was started.`);
}

const wanted = ({ data, env }) => ({
  ...(data && { dataRoots: data.map(dataRoot) }),
  ...(env && { environment: Object.fromEntries(env.map(pair)) }),
});

const print = (state) => process.stdout.write(`${JSON.stringify(shownStandalone(state), null, 2)}\n`);

async function start(folder, values) {
  const options = wanted(values);
  if (!values['no-setup']) await setUp();
  const state = await startStandalone(folder, options);
  print(state);
  process.stderr.write(`\nDashboard: ${shownStandalone(state).dashboard}\nFor phx:   export PHX_SERVER=${state.url}\n`);
  process.stderr.write((await recoveryHint(state)) ?? '');
}

function status(folder) {
  const state = readStandalone(folder);
  print(state);
  if (Object.keys(state.services).length > 0 && !isAlive(state.supervisor))
    process.stderr.write(`The supervisor has ended, so nothing that ends is started again. Start it with:
  npm run standalone -- start --work ${folder}\n`);
}

async function supervise(folder, values) {
  const options = wanted(values);
  if (!values['no-setup']) await setUp();
  if (Object.keys(options).length > 0 || readRequest(folder) === undefined) requestStandalone(folder, options);
  await superviseStandalone(folder);
}

const verbs = { start, stop: stopStandalone, status, run: supervise };

async function work(values, [verb]) {
  if (!values.work) throw new SetupProblem('--work DIR is needed.', 'npm run standalone -- --help');
  const folder = path.resolve(values.work);
  if (!Object.hasOwn(verbs, verb)) throw new SetupProblem(`${verb}: start, stop, status or run is needed.`);
  keepPrivate();
  await verbs[verb](folder, values);
}

command({
  call: 'npm run standalone --',
  usage,
  options,
  allowPositionals: true,
  isComplete: (_, verbs) => verbs.length === 1,
  work,
  codeOf: ({ holder }) => (holder === undefined ? 1 : supervisedElsewhere),
});
