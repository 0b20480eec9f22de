// A check whose inputs are all known is not run again with the very same ones: it is named with what it came to, and when.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { cacheRoot, checkout } from '../setup/paths.mjs';

const passedDirectory = path.join(cacheRoot, 'passed');

/** Python leaves its own there. */
const isContent = (name) => !/(^|\/)(__pycache__|\.pytest_cache|[^/]+\.egg-info)(\/|$)/.test(name);

/** Names of all files below a folder, sorted, without what Python leaves there. */
function filesBelow(folder) {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter(isContent)
    .sort();
}

/** sha256 over names and contents of everything in these folders (of the checkout, or absolute), and over `facts`. */
function keyOf(folders, facts) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const folder of folders.map((name) => path.resolve(checkout, name)))
    for (const file of filesBelow(folder)) hash.update(`\0${file}\0`).update(fs.readFileSync(path.join(folder, file)));
  return hash.digest('hex').slice(0, 24);
}

/** What `writePassed` kept there, or undefined. */
function readPassed(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
}

/** Keeps what passed, with the day. */
function writePassed(file, what) {
  fs.mkdirSync(passedDirectory, { recursive: true });
  const partial = `${file}.${process.pid}`;
  fs.writeFileSync(partial, `${JSON.stringify({ ...what, on: new Date().toISOString().slice(0, 10) })}\n`);
  fs.renameSync(partial, file);
}

/**
 * `check`, unless it has passed on this machine with the same inputs. `inputs` gives, when it is asked, `folders` (all that the check
 * reads) and `facts` (versions of what runs it). What was left out or failed is not remembered. FLEET_TEST_AGAIN=1 runs it all the same.
 */
export const unlessUnchanged = (check, inputs) => ({
  name: check.name,
  run: async (options) => {
    const { folders, facts } = inputs();
    const file = path.join(passedDirectory, `${check.name.replaceAll(/[^\w]+/g, '-')}${keyOf(folders, facts)}.json`);
    const before = process.env.FLEET_TEST_AGAIN === '1' ? undefined : readPassed(file);
    if (before !== undefined)
      return {
        ok: true,
        note: `not run again: nothing that it reads has changed since ${before.passed} passed on ${before.on} (FLEET_TEST_AGAIN=1 runs it)`,
      };
    const outcome = await check.run(options);
    if (outcome.ok && outcome.leftOut.length === 0) writePassed(file, { passed: outcome.passed });
    return outcome;
  },
});
