// Locks made of files only, because Node has no flock. A lock file names its holder, so exactly one process takes over the lock of a dead one.
//
// A lock is a series of files, NAME.1, NAME.2, …; the highest number counts. The process named in that file holds the lock; the lock is free
// when that process has died or has emptied the file. A process acquires a free lock by linking the next number, which only one process can,
// and holds it if no higher number exists afterwards. Only the holder of a higher number removes files, so no current number is ever reused:
// two processes that find the same dead holder cannot both succeed it, as they could if they removed its file.
import fs from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { identify, mayBeAlive } from './processes.mjs';
import { SetupProblem } from './progress.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The existing numbers, highest first. */
function numbersOf(file) {
  const start = `${path.basename(file)}.`;
  return fs
    .readdirSync(path.dirname(file))
    .filter((name) => name.startsWith(start) && /^[1-9]\d*$/.test(name.slice(start.length)))
    .map((name) => Number(name.slice(start.length)))
    .sort((one, other) => other - one);
}

/** {gone}: another process has taken the next number meanwhile; {holder}: the process that may hold the lock; {} when it is free. */
function look(file, number) {
  if (number === 0) return {};
  let text;
  try {
    text = fs.readFileSync(`${file}.${number}`, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return { gone: true };
    throw error;
  }
  if (text === '') return {};
  const holder = JSON.parse(text);
  return mayBeAlive(holder) ? { holder } : {};
}

/** Links a complete file, so no process ever reads half a lock. Returns false when the number is taken. */
function link(file, number) {
  const own = `${file}.new-${randomUUID()}`;
  fs.writeFileSync(own, JSON.stringify(identify(process.pid)), { mode: 0o600, flag: 'wx' });
  try {
    fs.linkSync(own, `${file}.${number}`);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    fs.rmSync(own, { force: true });
  }
}

/** {number} when this call acquired the lock, {holder} when another process holds it, {} to try again. */
function tryTake(file) {
  const [top = 0] = numbersOf(file);
  const { gone, holder } = look(file, top);
  if (gone || holder) return { holder };
  const number = top + 1;
  if (!link(file, number)) return {};
  const now = numbersOf(file);
  if (now[0] !== number) {
    fs.rmSync(`${file}.${number}`, { force: true });
    return {};
  }
  for (const older of now.slice(1)) fs.rmSync(`${file}.${older}`, { force: true });
  return { number };
}

/** Empties its own file, which works on a full disk too. */
const release = (file, number) => {
  try {
    fs.truncateSync(`${file}.${number}`);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error; // the whole folder was removed
  }
};

const busy = (file, holder) =>
  `Process ${holder.pid} on ${holder.host} holds the lock ${file}.` +
  (isOfThisMachine(holder) ? '' : ` If that machine is gone, remove ${file}.* and try again.`);

const isOfThisMachine = (holder) => holder.host === identify(process.pid).host;

/**
 * Acquires a lock and returns the function that releases it; the end of the process releases it too.
 * Throws SetupProblem, with `holder`, when another process holds it for longer than `timeoutMs`; `why` says what the holder does.
 */
export async function takeLock(file, { timeoutMs = 0, why = '' } = {}) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const { number, holder } = tryTake(file);
    if (number !== undefined) return () => release(file, number);
    if (holder !== undefined && Date.now() >= deadline)
      throw Object.assign(new SetupProblem(`${why}${why && ' '}${busy(file, holder)}`), { holder });
    await pause(holder === undefined ? 5 : 100);
  }
}

/** Runs `work` while holding the lock. */
export async function withLock(file, options, work) {
  const free = await takeLock(file, options);
  try {
    return await work();
  } finally {
    free();
  }
}
