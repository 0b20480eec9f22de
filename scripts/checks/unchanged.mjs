// Skips a check whose inputs are the same as at its last pass, and reports the result and date of that pass.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';
import { digestOf, filesBelow, lastPass, runAndNote } from './passes.mjs';

const contentsOf = (folders) =>
  folders
    .map((folder) => path.resolve(checkout, folder))
    .flatMap((folder, at) =>
      filesBelow(folder).map((name) => [`${at}/${name}`, fs.readFileSync(path.join(folder, name))]),
    );

/**
 * Runs `check`, unless it last passed on this machine with the same inputs. `inputs` returns `folders` (everything that the check reads)
 * and `facts` (versions of its tools). FLEET_TEST_AGAIN=1 forces a run.
 */
export const unlessUnchanged = (check, suite, inputs) => ({
  name: check.name,
  run: async (options) => {
    const { folders, facts } = inputs();
    const digest = digestOf(contentsOf(folders), facts);
    const last = process.env.FLEET_TEST_AGAIN === '1' ? undefined : lastPass(suite);
    if (last?.digest === digest)
      return {
        ok: true,
        note: `not run again: nothing that it reads has changed since ${last.passed} passed on ${last.on} (FLEET_TEST_AGAIN=1 runs it)`,
      };
    return runAndNote(suite, digest, check, options);
  },
});
