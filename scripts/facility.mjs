#!/usr/bin/env node
// npm run facility: a whole facility on one machine (Redis, gateway, three workers), to work with or to test against.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readFacility, services, startFacility, stopFacility } from './setup/facility.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms, licensedPhenix } from './setup/open-programs.mjs';
import { isAlive } from './setup/processes.mjs';
import { SetupProblem, report } from './setup/progress.mjs';

const usage = `npm run facility -- start|stop|status --work DIR [--data DIR]... [--env NAME=VALUE]...

  start    installs what is missing, then starts whatever is not running; prints the state as JSON
  stop     ends the services and the Redis that start began; programs under way are adopted by the next start
  status   prints the state as JSON, each service with \`alive\`

  --work DIR         where the state, the logs, Redis' files and the sessions lie
  --data DIR         a folder that data may be submitted from; may be repeated
  --no-setup         start with what is installed and built already
  --env NAME=VALUE   a variable for the services (docs/configuration.md); may be repeated

Example: npm run facility -- start --work ~/fleet --data /data/visit
`;

const optionTypes = {
  work: { type: 'string' },
  data: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  'no-setup': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parsed() {
  try {
    return parseArgs({ options: optionTypes, allowPositionals: true });
  } catch (error) {
    throw new SetupProblem(error.message, 'npm run facility -- --help');
  }
}

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

async function start(folder, { data, env, 'no-setup': asItIs }) {
  if (!asItIs) await setUp();
  return startFacility(folder, {
    ...(data && { dataRoots: data.map((root) => path.resolve(root)) }),
    ...(env && { environment: Object.fromEntries(env.map(pair)) }),
  });
}

function status(folder) {
  const state = readFacility(folder);
  for (const name of services) if (state.services[name]) state.services[name].alive = isAlive(state.services[name]);
  if (state.redis?.pid) state.redis.alive = isAlive(state.redis);
  return state;
}

async function main() {
  const { values, positionals } = parsed();
  if (values.help || positionals.length !== 1) {
    process.stdout.write(usage);
    return values.help ? 0 : 2;
  }
  if (!values.work) throw new SetupProblem('--work DIR is needed.', 'npm run facility -- --help');
  const folder = path.resolve(values.work);
  const [verb] = positionals;
  if (verb === 'start') process.stdout.write(`${JSON.stringify(await start(folder, values), null, 2)}\n`);
  else if (verb === 'stop') await stopFacility(folder);
  else if (verb === 'status') process.stdout.write(`${JSON.stringify(status(folder), null, 2)}\n`);
  else throw new SetupProblem(`${verb}: start, stop or status is needed.`);
  return 0;
}

main().then(
  (code) => (process.exitCode = code),
  (error) => (process.exitCode = report(error)),
);
