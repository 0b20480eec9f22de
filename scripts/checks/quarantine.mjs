// Flaky tests: test/quarantine.json excludes a file for at most fourteen days.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';

const longestDays = 14;
const day = /^\d{4}-\d{2}-\d{2}$/;
const daysBetween = (since, until) => (Date.parse(until) - Date.parse(since)) / 86_400_000;

/** Why an entry is invalid; undefined if it is valid. */
function problemOf({ file, message, since, until }, today, root) {
  if (typeof file !== 'string' || !fs.existsSync(path.join(root, file))) return 'file: no such test file';
  if (typeof message !== 'string' || message === '') return 'message: what the test printed when it failed';
  if (![since, until].every((date) => day.test(date))) return 'since and until: days as 2026-11-26';
  if (daysBetween(since, until) > longestDays) return `until: at most ${longestDays} days after since`;
  if (until < today) return `the quarantine ended on ${until}: repair the test or delete it`;
  return undefined;
}

/**
 * The excluded files, and the problems of the list.
 * @param list entries of { file, message, since, until }
 * @param today a date such as 2026-11-26
 * @public
 * @returns `files`, each with a sentence (`why`); `problems`, sentences: any problem makes the run fail
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

/** Today's quarantine of this checkout. */
export const quarantine = () =>
  judge(
    JSON.parse(fs.readFileSync(path.join(checkout, 'test/quarantine.json'), 'utf8')),
    new Date().toISOString().slice(0, 10),
  );
