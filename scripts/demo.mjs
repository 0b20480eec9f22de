#!/usr/bin/env node
// npm run demo: installs whatever is missing, then solves a real structure through the real services and shows the steps.
// Runs on the machine's own Node (20 or newer) without any package, so nothing must be installed first.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { command, isInterrupted } from './setup/command.mjs';
import { datasets, layOut } from './setup/demo-data.mjs';
import { checkModel, startDemoModel, toldDecisions } from './setup/demo-model.mjs';
import { readStandalone, startStandalone, stopStandalone } from './setup/standalone.mjs';
import { dashboardOf } from './setup/standalone-state.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms, licensedPhenix } from './setup/open-programs.mjs';
import { checkout, projectNode } from './setup/paths.mjs';
import { keepPrivate } from './setup/private-files.mjs';
import { SetupProblem, step } from './setup/progress.mjs';
import { redisProgram } from './setup/redis-server.mjs';

const usage = `Solves a real structure on this machine and shows each step.

npm run demo -- [options]
  --dataset NAME|FOLDER  ${Object.keys(datasets).join(', ')}, or a folder with your own files (default nutlin)
  --advice TEXT          what you want, in plain words (docs/advice.md)
  --set KEY=VALUE        a setting of the session; may be repeated (phx settings lists them)
  --model local          let a small language model of this machine choose among the programs that can run (Linux, x64; docs/models.md)
  --work DIR             where the installation and its sessions lie (default ~/phenix-fleet-demo)
  --keep                 leave everything running afterwards and say how to continue
  --stop                 stop what --keep left running
  --json FILE            write the outcome to FILE
  --help

Data sets
${Object.entries(datasets)
  .map(([name, set]) => `  ${name.padEnd(10)} ${set.title}`)
  .join('\n')}

Exit code: 0 solved, 7 unsatisfactory, 6 the science failed, 8 the machine or the service failed, 3 cancelled or rejected,
1 something else went wrong.
Example: npm run demo -- --dataset lysozyme --keep
`;

const options = {
  dataset: { type: 'string', default: 'nutlin' },
  advice: { type: 'string' },
  set: { type: 'string', multiple: true, default: [] },
  model: { type: 'string' },
  work: { type: 'string', default: path.join(os.homedir(), 'phenix-fleet-demo') },
  keep: { type: 'boolean', default: false },
  stop: { type: 'boolean', default: false },
  json: { type: 'string' },
};

/** Running processes, to be ended when the user interrupts. */
const live = {
  folder: undefined,
  model: undefined,
  session: undefined,
  ended: false,
  submission: undefined,
  cli: undefined,
};

/** Milliseconds that a session may take to end. */
const cancelMs = 60_000;

/**
 * Runs the command-line client; returns its exit code and, unless it writes to the terminal, its output. A terminal sends every Ctrl-C to
 * all of its processes, so a command that must finish (`shielded`, and every command that stops something) gets its own process group.
 */
function phx(args, { capture = false, shielded = isInterrupted(), timeout, folder = live.folder } = {}) {
  const { url } = readStandalone(folder);
  const child = spawn(projectNode(), [path.join(checkout, 'dist/apps/cli/src/main.js'), '--server', url, ...args], {
    stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'],
    detached: shielded,
    timeout,
  });
  if (!shielded) live.cli = child;
  let output = '';
  child.stdout?.on('data', (data) => (output += data));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

async function setUp() {
  await ensureNodePackages();
  await ensureBuild();
  if (licensedPhenix() === undefined || (!process.env.REDIS_URL && redisProgram() === undefined))
    await ensureOpenPrograms();
  else process.stderr.write(`· PHENIX was found and is used: ${licensedPhenix()}\n`);
}

/** Checked before anything is installed, so a typing error shows at once. */
function checkDataset(dataset) {
  if (Object.hasOwn(datasets, dataset)) return;
  if (!fs.statSync(path.resolve(dataset), { throwIfNoEntry: false })?.isDirectory())
    throw new SetupProblem(
      `--dataset ${dataset}: neither a known data set nor a folder.`,
      `Known: ${Object.keys(datasets).join(', ')}.`,
    );
}

async function dataFiles(dataset, work) {
  if (Object.hasOwn(datasets, dataset)) return layOut(dataset, path.join(work, 'data', dataset));
  const folder = path.resolve(dataset);
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(readme|\.)/i.test(entry.name))
    .map((entry) => path.join(folder, entry.name));
}

async function submit(files, { advice, set }) {
  const extra = [
    ...(advice === undefined ? [] : ['--advice', advice]),
    ...set.flatMap((setting) => ['--set', setting]),
  ];
  const { code, output } = await phx(
    ['submit', '--json', '--title', 'demo', '--proposal', 'demo', '--beamline', 'demo', ...extra, '--', ...files],
    // An interrupted submission would leave a session whose id this demo does not know.
    { capture: true, shielded: true },
  );
  if (code !== 0) throw Object.assign(new SetupProblem('The data set was refused (see above).'), { exitCode: code });
  return JSON.parse(output).id;
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

function timing(session, parts) {
  const programs = session.cycles.map((cycle) => {
    const ms = cycle.attempts.reduce((sum, attempt) => sum + (attempt.ending?.durationMs ?? 0), 0);
    return [`cycle ${cycle.cycle} ${cycle.decision.program}`, ms];
  });
  const running = programs.reduce((sum, [, ms]) => sum + ms, 0);
  const rows = [
    ...parts,
    ...programs,
    ['all programs', running],
    ['the session, programs included', parts.at(-1)?.[1] ?? 0],
  ];
  return rows
    .filter(([name]) => name !== 'session')
    .map(([name, ms]) => `  ${name.padEnd(40)} ${seconds(ms).padStart(9)}`)
    .join('\n');
}

async function outcome(session, parts, { json: jsonFile }) {
  const { output } = await phx(['show', session, '--json'], { capture: true });
  const record = JSON.parse(output);
  await phx(['results', session]);
  if (live.model !== undefined) process.stdout.write(toldDecisions(record));
  process.stdout.write(
    `\nHow long each part took\n${timing(record, parts)}\n\nThe session's files: ${record.folder}\n`,
  );
  if (jsonFile) {
    const simulated = record.cycles.some((cycle) => cycle.attempts.some((attempt) => attempt.provider === 'simulated'));
    fs.writeFileSync(
      jsonFile,
      `${JSON.stringify({ ...record, simulated, timings: Object.fromEntries(parts) }, null, 2)}\n`,
    );
  }
}

/** Starts the services, or uses those that an earlier --keep left running, if they may read these data. */
function start(work, dataRoots, environment) {
  return step('PostgreSQL, Redis, gateway and three workers', async () => {
    const known = readStandalone(work);
    const roots = [...new Set([...(known.dataRoots ?? []), ...dataRoots])];
    if (known.url && roots.length > known.dataRoots.length) await stopStandalone(work);
    const value = await startStandalone(work, { dataRoots: roots, environment });
    return { value, note: value.url };
  });
}

/** Ends every running session, so that no program is left running, then stops the services. */
async function stopEverything(work) {
  const { url } = readStandalone(work);
  if (url === undefined)
    throw new SetupProblem(`Nothing is known to run in ${work}.`, 'Was it started with another --work?');
  const { code, output } = await phx(['list', '--status', 'running', '--json'], { capture: true, folder: work });
  const running = code === 0 ? JSON.parse(output).sessions : [];
  for (const { id } of running) await phx(['cancel', id, '--wait'], { capture: true, folder: work });
  await stopStandalone(work);
}

async function runDemo(chosen) {
  const parts = [];
  const timed = async (name, work) => {
    const start = Date.now();
    const value = await work();
    parts.push([name, Date.now() - start]);
    return value;
  };
  checkDataset(chosen.dataset);
  checkModel(chosen);
  await timed('set-up', setUp);
  const files = await timed('data', () => dataFiles(chosen.dataset, chosen.work));
  live.folder = chosen.work;
  if (chosen.model !== undefined) live.model = await timed('local model', () => startDemoModel(chosen.work));
  const dataRoots = [...new Set(files.map((file) => fs.realpathSync(path.dirname(file))))];
  const standalone = await timed('starting the services', () => start(chosen.work, dataRoots, live.model?.environment));
  live.submission = submit(files, chosen);
  live.session = await live.submission;
  if (isInterrupted()) return 130;
  process.stdout.write(`\nIn a browser: ${dashboardOf(standalone.url)}sessions/${live.session}\n\n`);
  const { code } = await timed('session', () => phx(['watch', live.session]));
  if (isInterrupted()) return 130;
  live.ended = [0, 3, 6, 7, 8].includes(code);
  await outcome(live.session, parts, chosen);
  if (chosen.keep)
    process.stdout.write(
      `\nEverything is still running, and can be seen at ${dashboardOf(standalone.url)}. Continue with:\n  export PHX_SERVER=${standalone.url}\n  npx phx list\n  npx phx submit FILES… --watch   (files below ${dataRoots.join(' or ')})\nStop it with:\n  npm run demo -- --stop${chosen.work === options.work.default ? '' : ` --work ${chosen.work}`}\n`,
    );
  return code;
}

/** Whether no program of the session runs any more; true also if the session had already ended. */
async function cancelSession(session) {
  const { code } = await phx(['cancel', session, '--wait'], { capture: true, timeout: cancelMs });
  if (code === 0) return true;
  const { output } = await phx(['show', session, '--json'], { capture: true, timeout: cancelMs });
  return output !== '' && ['completed', 'unsatisfactory', 'failed', 'cancelled'].includes(JSON.parse(output).status);
}

/** If the session's program cannot be ended, the services stay, because only they can end it later. */
const leftBehind = (session) =>
  new SetupProblem(
    `Session ${session} could not be cancelled: its program may still run, and so do the services (${live.folder}).`,
    `End them with: npm run demo -- --stop --work ${live.folder}`,
  );

/** Cancels running sessions, so that no program is left running, then stops the services. */
async function tearDown({ keep }) {
  if (keep || live.folder === undefined) return;
  live.cli?.kill('SIGTERM');
  // A failed submission has left no session, and its caller reports the error.
  const session = await live.submission?.catch(() => undefined);
  if (session !== undefined && !live.ended && !(await cancelSession(session))) throw leftBehind(session);
  await stopStandalone(live.folder);
  live.model?.stop();
}

function demo(values) {
  keepPrivate();
  const chosen = { ...values, work: path.resolve(values.work) };
  return chosen.stop ? stopEverything(chosen.work) : runDemo(chosen);
}

command({
  call: 'npm run demo --',
  usage,
  options,
  work: demo,
  stopping: 'the session is cancelled, then the services end',
  tearDown,
  codeOf: ({ exitCode = 1 }) => exitCode,
});
