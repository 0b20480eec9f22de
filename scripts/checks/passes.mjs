// Records of the last pass of a suite on this machine: digest of its inputs, day, and number of tests.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { cacheRoot } from '../setup/paths.mjs';

/** Python writes its caches among the sources. */
const isContent = (name) => !/(^|\/)(__pycache__|\.pytest_cache|[^/]+\.egg-info)(\/|$)/.test(name);

/** Names of all files below a folder, relative to it. For a file: only itself, with the name ''. */
export function filesBelow(folder) {
  if (!fs.statSync(folder).isDirectory()) return [''];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter(isContent);
}

/** First 24 digits of the SHA-256 over names and contents (`[name, content]`, in any order) and over other facts. */
export function digestOf(contents, facts = []) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const [name, content] of contents.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`\0${name}\0`).update(content);
  return hash.digest('hex').slice(0, 24);
}

const fileOf = (suite, cache) => path.join(cache, 'passed', `${suite}.json`);

/** `{digest, on, passed}` of the last pass: digest, day (UTC) and number of tests. Undefined before the first pass. */
export function lastPass(suite, cache = cacheRoot) {
  const file = fileOf(suite, cache);
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
}

/** Records that the suite passed with this digest today. */
function notePass(suite, digest, passed, cache = cacheRoot) {
  const file = fileOf(suite, cache);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  fs.writeFileSync(partial, `${JSON.stringify({ digest, passed, on: new Date().toISOString().slice(0, 10) })}\n`);
  fs.renameSync(partial, file);
}

/** Runs a check and records a complete pass; a run that failed or left out tests is not recorded. */
export async function runAndNote(suite, digest, check, options) {
  const outcome = await check.run(options);
  if (outcome.ok && outcome.leftOut.length === 0) notePass(suite, digest, outcome.passed);
  return outcome;
}
