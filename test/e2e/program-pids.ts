import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Ids that the local backend recorded for programs under way: their supervisors and the programs themselves. */
export const programPids = (workRoot: string): number[] =>
  readdirSync(workRoot, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.running\/\.fleet\/run\.json$/.test(file))
    .flatMap((file) => [...readFileSync(path.join(workRoot, file), 'utf8').matchAll(/"pid":\s*(\d+)/g)])
    .map((found) => Number(found[1]));
