// Tests that are known to be unsteady: test/quarantine.json takes a file out for at most fourteen days.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';

const longestDays = 14;
const day = /^\d{4}-\d{2}-\d{2}$/;
const daysBetween = (since, until) => (Date.parse(until) - Date.parse(since)) / 86_400_000;

/** Why an entry is not valid; undefined when it is. */
function problemOf({ file, message, since, until }, today, root) {
  if (typeof file !== 'string' || !fs.existsSync(path.join(root, file))) return 'file: no such test file';
  if (typeof message !== 'string' || message === '') return 'message: what the test printed when it failed';
  if (![since, until].every((date) => day.test(date))) return 'since and until: days as 2026-11-26';
  if (daysBetween(since, until) > longestDays) return `until: at most ${longestDays} days after since`;
  if (until < today) return `the quarantine ended on ${until}: repair the test or delete it`;
  return undefined;
}

/**
 * The files that are out, and what is wrong with the list.
 * @param list entries of { file, message, since, until }
 * @param today as 2026-11-26
 * @public
 * @returns `files`, with a sentence each (`why`); `problems`, sentences: where there is one, the run fails
 */
export function judge(list, today, root = checkout) {
  const judged = list.map((entry) => ({ ...entry, problem: problemOf(entry, today, root) }));
  return {
    files: judged
      .filter(({ problem }) => problem === undefined)
      .map(({ file, message, since, until }) => ({ file, why: `${message} (since ${since}, until ${until})` })),
    problems: judged
      .filter(({ problem }) => problem !== undefined)
      .map(({ file, problem }) => `test/quarantine.json: ${file}: ${problem}`),
  };
}

/** The quarantine of this checkout, today. */
export const quarantine = () =>
  judge(
    JSON.parse(fs.readFileSync(path.join(checkout, 'test/quarantine.json'), 'utf8')),
    new Date().toISOString().slice(0, 10),
  );
