// Control of a single part: start, stop, freeze, and health.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from '../setup/commands.mjs';
import { isAlive } from '../setup/processes.mjs';
import { SetupProblem } from '../setup/progress.mjs';
import { inRun, sources } from './layout.mjs';
import { runInNetwork, spawnDetached, spawnInside } from './namespaces.mjs';
import { partNames, parts } from './parts.mjs';
import { writeState } from './state.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const probeScript = path.join(sources, 'probe.mjs');
const timeoutSeconds = 60;

const logOf = (name) => inRun('log', `${name}.log`);

function partNamed(name) {
  if (Object.hasOwn(parts, name)) return parts[name];
  throw new SetupProblem(`There is no part "${name}".`, `Parts: ${partNames.join(', ')}`);
}

/** "running", "frozen" (SIGSTOP) or "stopped". */
export function conditionOf(state, name) {
  const known = state.parts[name];
  if (!isAlive(known)) return 'stopped';
  const stat = fs.readFileSync(`/proc/${known.pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T') ? 'frozen' : 'running';
}

/** Whether a running part answers its own health check within the time. */
export async function isWell(state, name, seconds) {
  const { outside, probe, socket } = partNamed(name);
  if (conditionOf(state, name) !== 'running') return false;
  if (socket !== undefined) return isListening(socket, seconds);
  const line = [probeScript, probe, String(seconds)];
  try {
    if (outside) await run(process.execPath, line);
    else await runInNetwork(state.anchor, process.execPath, line);
    return true;
  } catch (error) {
    if (error instanceof SetupProblem) return false;
    throw error;
  }
}

async function isListening(socket, seconds) {
  const deadline = Date.now() + seconds * 1000;
  while (!fs.existsSync(socket) && Date.now() < deadline) await pause(20);
  return fs.existsSync(socket);
}

const lastLines = (name) => fs.readFileSync(logOf(name), 'utf8').split('\n').slice(-12).join('\n');

/** Waits until a part is healthy; otherwise throws SetupProblem with the end of its log. */
export async function untilWell(state, name) {
  const deadline = Date.now() + timeoutSeconds * 1000;
  while (Date.now() < deadline && isAlive(state.parts[name])) if (await isWell(state, name, 1)) return;
  throw new SetupProblem(`${name} did not get ready. The end of ${logOf(name)}:\n${lastLines(name)}`);
}

async function spawnPart(state, name) {
  const { command, environment, outside, socket } = partNamed(name);
  if (socket !== undefined) fs.rmSync(socket, { force: true });
  const line = [...command({ networkNamespace: `/proc/${state.anchor.pid}/ns/net` }), ...(state.arguments[name] ?? [])];
  const options = { log: logOf(name), env: environment };
  state.parts[name] = outside
    ? await spawnDetached(line[0], line.slice(1), options)
    : await spawnInside(state.anchor, line, options);
  writeState(state);
}

function send(known, signal) {
  if (!isAlive(known)) return;
  try {
    process.kill(known.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // the process has just ended
  }
}

/** Continues nsenter, which stops itself along with its child and must run to see the child end. */
function thaw(known) {
  for (const each of [known.wrapper, known]) send(each, 'SIGCONT');
}

/** Starts a stopped part and thaws a frozen one. Does not wait until it is healthy. */
export async function launchPart(state, name) {
  for (const each of [name, ...(partNamed(name).companions ?? [])]) {
    const condition = conditionOf(state, each);
    if (condition === 'frozen') thaw(state.parts[each]);
    else if (condition === 'stopped') await spawnPart(state, each);
  }
}

function signalNumber(signal) {
  if (!Object.hasOwn(os.constants.signals, signal))
    throw new SetupProblem(`There is no signal "${signal}".`, 'For example SIGKILL, SIGTERM or SIGSTOP');
  return os.constants.signals[signal];
}

async function untilGone(known, name) {
  const deadline = Date.now() + timeoutSeconds * 1000;
  while (isAlive(known)) {
    if (Date.now() > deadline) throw new SetupProblem(`${name} did not end within ${timeoutSeconds} s.`);
    await pause(10);
  }
}

/** Sends a part a signal and waits for its end (after SIGSTOP: until it is frozen). A part that does not run stays stopped. */
export async function stopPart(state, name, signal = 'SIGKILL') {
  const number = signalNumber(signal);
  const { companions = [] } = partNamed(name);
  if (signal === 'SIGSTOP') {
    if (conditionOf(state, name) === 'running') send(state.parts[name], number);
    return;
  }
  for (const each of [...companions, name]) {
    const known = state.parts[each];
    if (!isAlive(known)) continue;
    send(known, number);
    thaw(known); // a frozen process would not receive the signal
    await untilGone(known, each);
  }
}
