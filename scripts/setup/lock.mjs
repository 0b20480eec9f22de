// Locks of files alone, for Node has no flock: known by their holder's identity, so that one whose holder has died is taken over, by one.
//
// A lock is a series of files, NAME.1, NAME.2, …; the highest number counts. It is held by the process that its file names, or free when
// that process has died or has emptied the file. Whoever wants a free lock links the next number into place, which only one can, and holds
// it if no higher one is there then. Files are removed by the holder of a higher number alone, so no number that counts is ever used twice:
// two that find the same dead holder cannot both take its place, as they could if they removed its file.
import fs from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { identify, mayBeAlive } from './processes.mjs';
import { SetupProblem } from './progress.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The numbers that are there, the highest first. */
function numbersOf(file) {
  const start = `${path.basename(file)}.`;
  return fs
    .readdirSync(path.dirname(file))
    .filter((name) => name.startsWith(start) && /^[1-9]\d*$/.test(name.slice(start.length)))
    .map((name) => Number(name.slice(start.length)))
    .sort((one, other) => other - one);
}

/** {gone}: somebody has taken the next number meanwhile; {holder}: the process that may hold it; {} when it is free. */
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

/** Links a complete file into place, so that nobody ever reads half a lock. False when the number is taken. */
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

/** {number} when it was taken, {holder} when somebody has it, {} to try again. */
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

/** Empties its own file: that needs no room on the disk. */
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
 * Takes a lock and gives the function that releases it; the end of the process does as well.
 * Throws SetupProblem, with `holder`, when somebody else holds it for longer than `timeoutMs`; `why` says what that one does.
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

/** Runs `work` while nobody else runs under the same lock. */
export async function withLock(file, options, work) {
  const free = await takeLock(file, options);
  try {
    return await work();
  } finally {
    free();
  }
}
