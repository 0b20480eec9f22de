import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '@fleet/contracts';

const look = (workRoot: string): number[] =>
  readdirSync(workRoot, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.running\/\.fleet\/run\.json$/.test(file))
    .flatMap((file) => [...readFileSync(path.join(workRoot, file), 'utf8').matchAll(/"pid":\s*(\d+)/g)])
    .map((found) => Number(found[1]));

/** Ids that the local backend recorded for programs under way: their supervisors and the programs themselves. */
export const programPids = (workRoot: string): number[] => {
  for (;;) {
    try {
      return look(workRoot);
    } catch (error) {
      // A folder was published while it was looked at.
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
  }
};
